/**
 * Half precision and brain floats as their 16 bits. Numbers are rounded to nearest, ties to even; a magnitude beyond
 * the largest finite value becomes infinity; every NaN becomes the quiet NaN.
 *
 * Both go through the bits of an FP32 that is "rounded to odd": cut off towards zero, with the lowest bit set when
 * anything was cut. Rounding that to fewer bits gives what rounding the double itself would; rounding twice to nearest
 * would not.
 */

const scratchFloat = new Float32Array(1);
const scratchBits = new Uint32Array(scratchFloat.buffer);

const HALF_NAN = 0x7e00;
const HALF_INFINITY = 0x7c00;
const BRAIN_NAN = 0x7fc0;

/** Bits of FP32: 2^16, from where on there is no half, and 2^-14, the smallest normal half. */
const HALF_LIMIT_BITS = 0x47800000;
const SMALLEST_NORMAL_HALF_BITS = 0x38800000;

/** Difference of the exponent biases of FP32 and half precision, at its place in FP32. */
const HALF_REBIAS = 112 << 23;

const HALF_SUBNORMAL_STEP = 2 ** -24;

/** @returns the 16 bits of the nearest half precision number. */
export function float16FromNumber(value: number): number {
  if (Number.isNaN(value)) {
    return HALF_NAN;
  }
  const bits = roundToOdd(value);
  const sign = (bits >>> 16) & 0x8000;
  const magnitude = bits & 0x7fffffff;
  if (magnitude >= HALF_LIMIT_BITS) {
    return sign | HALF_INFINITY;
  }
  if (magnitude >= SMALLEST_NORMAL_HALF_BITS) {
    // What rounds up beyond the largest mantissa carries into the exponent: to the next power of two, or to infinity.
    return sign | shiftToEven(magnitude - HALF_REBIAS, 13);
  }
  const shift = 126 - (magnitude >>> 23);
  return shift > 25 ? sign : sign | shiftToEven((magnitude & 0x7fffff) | 0x800000, shift);
}

/** @param bits the 16 bits of a half precision number. */
export function numberFromFloat16(bits: number): number {
  const exponent = bits & HALF_INFINITY;
  if (exponent === 0) {
    const magnitude = (bits & 0x3ff) * HALF_SUBNORMAL_STEP;
    return bits & 0x8000 ? -magnitude : magnitude;
  }
  const magnitude = (bits & 0x7fff) << 13;
  scratchBits[0] =
    ((bits & 0x8000) << 16) | (exponent === HALF_INFINITY ? magnitude | 0x7f800000 : magnitude + HALF_REBIAS);
  return scratchFloat[0] ?? 0;
}

/** @returns the 16 bits of the nearest brain float. */
export function bfloat16FromNumber(value: number): number {
  return Number.isNaN(value) ? BRAIN_NAN : shiftToEven(roundToOdd(value), 16);
}

/** @param bits the 16 bits of a brain float: the upper half of an FP32. */
export function numberFromBfloat16(bits: number): number {
  scratchBits[0] = bits << 16;
  return scratchFloat[0] ?? 0;
}

/** Bits of the FP32 next to `value` towards zero, the lowest one set when it is not `value` itself. */
function roundToOdd(value: number): number {
  scratchFloat[0] = value;
  const rounded = scratchFloat[0] ?? 0;
  const bits = scratchBits[0] ?? 0;
  if (rounded === value) {
    return bits;
  }
  return (Math.abs(rounded) > Math.abs(value) ? bits - 1 : bits) | 1;
}

/** `bits / 2^shift`, rounded to nearest, ties to even. @param shift 1 to 25. */
function shiftToEven(bits: number, shift: number): number {
  return (bits + (2 ** (shift - 1) - 1) + ((bits >>> shift) & 1)) >>> shift;
}
