/**
 * Numbers as JSON texts that lose nothing: the fewest decimal digits that read back as the same value of the same
 * datatype. FP32 is the case that counts: it is most of what models answer, and a good part of a light job's time.
 */

/** 10^0 to 10^22: the powers of ten that a double holds exactly. */
const POWERS_OF_TEN = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);

/** The fast way covers 1e-13 to 1e7: scaled by a power of ten that is exact, with a result below 2^31. */
const SMALLEST_EXPONENT = -13;
const FAST_MIN = 1e-13;
const FAST_MAX = 1e7;

const ZEROS = ['0.', '0.0', '0.00', '0.000', '0.0000', '0.00000'];

/** `toPrecision` beyond nine digits never tells two FP32 values apart. */
const MAX_FP32_DIGITS = 9;

/** JSON text of a non-finite number, as protobuf's JSON mapping writes it: JSON itself has none. */
export function formatNonFinite(value: number): string {
  if (Number.isNaN(value)) {
    return '"NaN"';
  }
  return value > 0 ? '"Infinity"' : '"-Infinity"';
}

/** Shortest JSON text of a double. */
export function formatFloat64(value: number): string {
  if (!Number.isFinite(value)) {
    return formatNonFinite(value);
  }
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Shortest JSON text of a value that FP32 holds exactly. */
export function formatFloat32(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e7) {
    return Object.is(value, -0) ? '-0' : String(value);
  }
  const magnitude = Math.abs(value);
  // Written so that NaN fails as well.
  if (!(magnitude >= FAST_MIN && magnitude < FAST_MAX)) {
    return Number.isFinite(value)
      ? formatBySearch(value, MAX_FP32_DIGITS, Math.fround)
      : formatNonFinite(value);
  }
  const exponent = decimalExponent(magnitude);
  // Of the decimals with six digits at most one reads back as a given FP32, so that fewer digits need no try of their own.
  for (let digits = 6; digits <= MAX_FP32_DIGITS; digits += 1) {
    const scale = digits - 1 - exponent;
    const power = POWERS_OF_TEN[scale];
    if (power !== undefined) {
      const scaled = (magnitude * power + 0.5) | 0;
      if (Math.fround(scaled / power) === magnitude) {
        const text = placePoint(scaled, scale);
        return value < 0 ? `-${text}` : text;
      }
    }
  }
  return formatBySearch(value, MAX_FP32_DIGITS, Math.fround);
}

/** Shortest JSON text of a value that a narrow float type holds exactly; `round` rounds a double to that type. */
export function formatNarrowFloat(value: number, round: (value: number) => number): string {
  if (!Number.isFinite(value)) {
    return formatNonFinite(value);
  }
  return Object.is(value, -0) ? '-0' : formatBySearch(value, MAX_FP32_DIGITS, round);
}

function formatBySearch(value: number, maxDigits: number, round: (value: number) => number): string {
  for (let digits = 1; digits < maxDigits; digits += 1) {
    const candidate = Number(value.toPrecision(digits));
    if (round(candidate) === value) {
      return String(candidate);
    }
  }
  return String(Number(value.toPrecision(maxDigits)));
}

/** The exponent e with 10^e <= magnitude < 10^(e+1), for magnitudes of the fast way. */
function decimalExponent(magnitude: number): number {
  let exponent = 0;
  if (magnitude >= 1) {
    while (magnitude >= (POWERS_OF_TEN[exponent + 1] ?? Number.NaN)) {
      exponent += 1;
    }
    return exponent;
  }
  do {
    exponent -= 1;
  } while (exponent > SMALLEST_EXPONENT && magnitude * (POWERS_OF_TEN[-exponent] ?? Number.NaN) < 1);
  return exponent;
}

/**
 * Decimal text of `digits / 10^scale` without trailing zeros, in JavaScript's own notation: with an exponent below
 * 1e-6. `digits` is a positive integer below 2^31.
 */
function placePoint(digits: number, scale: number): string {
  let significant = digits;
  let fraction = scale;
  while (fraction > 0 && significant % 10 === 0) {
    significant = (significant / 10) | 0;
    fraction -= 1;
  }
  const text = String(significant);
  if (fraction === 0) {
    return text;
  }
  const point = text.length - fraction;
  if (point > 0) {
    return `${text.slice(0, point)}.${text.slice(point)}`;
  }
  const zeros = ZEROS[-point];
  if (zeros !== undefined) {
    return zeros + text;
  }
  return text.length === 1 ? `${text}e${point - 1}` : `${text[0]}.${text.slice(1)}e${point - 1}`;
}
