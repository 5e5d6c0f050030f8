/**
 * FP32 as the fewest decimal digits that read back as the same FP32, written as ASCII bytes in JavaScript's notation.
 * It is the case that counts: most of what models answer, and a good part of a light job's time.
 *
 * A value is scaled by a power of ten to have nine digits before the point. Half the gap to its neighbours, scaled alike,
 * says how far a decimal may lie from it and still read back as it; decimals of six to nine digits are tried. All of it
 * is double arithmetic with an error below `TOLERANCE`: what is closer to a decision than that is left to
 * `searchShortestText`.
 */
import { searchShortestText } from './search-digits.ts';

/** Room that a text may take: `-340282350000000000000` is no longer, nor is any with an exponent. */
export const MAX_FLOAT32_TEXT_BYTES = 24;

/** As many digits tell any two FP32 apart. */
const MAX_DIGITS = 9;

/** Ten times the error of a scaled value: 2^-52 of at most 1e9. */
const TOLERANCE = 2e-6;

const LARGEST_EXACT_INTEGER = 2 ** 24;

/** JavaScript writes numbers from here on, and below 1e-6, with an exponent. */
const MAX_PLAIN_DIGITS = 21;
const MIN_PLAIN_EXPONENT = -6;

const ZERO = 0x30;
const POINT = 0x2e;
const MINUS = 0x2d;
const PLUS = 0x2b;
const LETTER_E = 0x65;

/** 10^n at index n + POWER_OFFSET, for every n that FP32 and its scaling to nine digits need. */
const POWER_OFFSET = 46;
const POWERS_OF_TEN = Float64Array.from({ length: 2 * POWER_OFFSET + 1 }, (_, index) =>
  Number(`1e${index - POWER_OFFSET}`),
);

/** By the exponent field of an FP32: half the gap between two such numbers. */
const HALF_GAPS = Float64Array.from({ length: 255 }, (_, exponent) => 2 ** (exponent - 151));

/** By the exponent field of an FP32: the power of ten at or below the smallest such number. */
const DECIMAL_EXPONENTS = Int8Array.from({ length: 255 }, (_, exponent) =>
  Math.floor(Math.log10(2 ** (exponent - 127))),
);

const scratchFloat = new Float32Array(1);
const scratchBits = new Uint32Array(scratchFloat.buffer);

/**
 * Writes the shortest text of a finite FP32 value to `target` from `at` on; zero keeps its sign.
 * @param target with room for MAX_FLOAT32_TEXT_BYTES.
 * @returns the end of the text.
 */
export function writeFloat32(target: Uint8Array, at: number, value: number): number {
  scratchFloat[0] = value;
  const bits = scratchBits[0] ?? 0;
  let start = at;
  if (bits >>> 31 === 1) {
    target[start] = MINUS;
    start += 1;
  }
  const magnitude = Math.abs(value);
  if (magnitude < LARGEST_EXACT_INTEGER && magnitude === Math.floor(magnitude)) {
    return magnitude === 0 ? writeZeros(target, start, 1) : writeDecimal(target, start, magnitude, 0);
  }
  const exponent = (bits >>> 23) & 0xff;
  if (exponent === 0) {
    // Below the normal numbers there are fewer than six digits.
    return writeSearched(target, start, magnitude);
  }
  let decimalExponent = DECIMAL_EXPONENTS[exponent] ?? 0;
  if (magnitude >= powerOfTen(decimalExponent + 1)) {
    decimalExponent += 1;
  }
  const scaleExponent = MAX_DIGITS - 1 - decimalExponent;
  const scale = powerOfTen(scaleExponent);
  const scaled = magnitude * scale;
  const reachAbove = (HALF_GAPS[exponent] ?? 0) * scale;
  // The neighbour below a power of two is nearer.
  const reachBelow = (bits & 0x7fffff) === 0 ? reachAbove / 2 : reachAbove;
  // Of the decimals with six digits at most one reads back as a given FP32: fewer digits need no try of their own.
  for (let unitExponent = 3; unitExponent >= 0; unitExponent -= 1) {
    const unit = powerOfTen(unitExponent);
    const digits = (scaled * powerOfTen(-unitExponent) + 0.5) | 0;
    const distance = digits * unit - scaled;
    const away = Math.abs(distance);
    const room = (distance < 0 ? reachBelow : reachAbove) - away;
    if (room > TOLERANCE && unit / 2 - away > TOLERANCE) {
      return writeDecimal(target, start, digits, unitExponent - scaleExponent);
    }
    if (room > -TOLERANCE) {
      break;
    }
  }
  return writeSearched(target, start, magnitude);
}

function powerOfTen(exponent: number): number {
  return POWERS_OF_TEN[exponent + POWER_OFFSET] ?? Number.NaN;
}

function writeZeros(target: Uint8Array, at: number, count: number): number {
  // `fill` costs more than the few zeros there can be.
  for (let index = at; index < at + count; index += 1) {
    target[index] = ZERO;
  }
  return at + count;
}

function writeSearched(target: Uint8Array, at: number, magnitude: number): number {
  const text = searchShortestText(magnitude, MAX_DIGITS, Math.fround);
  for (let index = 0; index < text.length; index += 1) {
    target[at + index] = text.charCodeAt(index);
  }
  return at + text.length;
}

/** Writes `digits * 10^exponent` as JavaScript would. @param digits an integer from 1 to 1e9. */
function writeDecimal(target: Uint8Array, at: number, digits: number, exponent: number): number {
  let significant = digits;
  let lowest = exponent;
  while (significant % 10 === 0) {
    significant = (significant / 10) | 0;
    lowest += 1;
  }
  const count = countDigits(significant);
  const point = count + lowest;
  if (point > MAX_PLAIN_DIGITS || point <= MIN_PLAIN_EXPONENT) {
    return writeExponential(target, at, significant, count, point - 1);
  }
  if (point <= 0) {
    target[at] = ZERO;
    target[at + 1] = POINT;
    const end = writeZeros(target, at + 2, -point) + count;
    writeDigits(target, end, significant, count);
    return end;
  }
  if (lowest >= 0) {
    writeDigits(target, at + count, significant, count);
    return writeZeros(target, at + count, lowest);
  }
  const whole = writeDigits(target, at + 1 + count, significant, -lowest);
  target[at + point] = POINT;
  writeDigits(target, at + point, whole, point);
  return at + 1 + count;
}

function writeExponential(
  target: Uint8Array,
  at: number,
  digits: number,
  count: number,
  exponent: number,
): number {
  target[at] = ZERO + writeDigits(target, at + 1 + count, digits, count - 1);
  let end = at + 1;
  if (count > 1) {
    target[end] = POINT;
    end += count;
  }
  target[end] = LETTER_E;
  target[end + 1] = exponent < 0 ? MINUS : PLUS;
  const size = Math.abs(exponent);
  const sizeCount = countDigits(size);
  writeDigits(target, end + 2 + sizeCount, size, sizeCount);
  return end + 2 + sizeCount;
}

/** Writes the lowest `count` digits of `number` before `end`. @returns what stands above them. */
function writeDigits(target: Uint8Array, end: number, number: number, count: number): number {
  let rest = number;
  for (let index = end - 1; index >= end - count; index -= 1) {
    const tens = (rest / 10) | 0;
    target[index] = ZERO + rest - tens * 10;
    rest = tens;
  }
  return rest;
}

function countDigits(number: number): number {
  let count = 1;
  for (let limit = 10; number >= limit; limit *= 10) {
    count += 1;
  }
  return count;
}
