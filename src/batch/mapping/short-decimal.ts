const MAX_DIGITS = 15;
const POWERS_OF_TEN = Array.from({ length: MAX_DIGITS + 1 }, (_, exponent) => 10 ** exponent);

const ZERO = 48;
const POINT = 46;
const MINUS = 45;

/**
 * The value of a plain decimal like `12` or `-0.375` of at most 15 digits; NaN for any other text, which may be a number
 * all the same. It is exact: digits and power of ten are both held exactly, so that their quotient is rounded once. It
 * takes a fraction of the time of `Number`, and almost every cell of numbers is of this kind.
 */
export function parseShortDecimal(text: string): number {
  let index = 0;
  const isNegative = text.charCodeAt(0) === MINUS;
  if (isNegative) {
    index = 1;
  }
  let digits = 0;
  let count = 0;
  let pointAt = -1;
  for (; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const digit = code - ZERO;
    if (digit >= 0 && digit <= 9) {
      digits = digits * 10 + digit;
      count += 1;
    } else if (code === POINT && pointAt === -1) {
      pointAt = index;
    } else {
      return Number.NaN;
    }
  }
  if (count === 0 || count > MAX_DIGITS) {
    return Number.NaN;
  }
  const decimals = pointAt === -1 ? 0 : text.length - 1 - pointAt;
  const magnitude = decimals === 0 ? digits : digits / (POWERS_OF_TEN[decimals] ?? Number.NaN);
  return isNegative ? -magnitude : magnitude;
}
