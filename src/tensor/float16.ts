/**
 * Half precision and brain floats as their 16 bits. Numbers are rounded to nearest, ties to even; a magnitude beyond
 * the largest finite value becomes infinity; every NaN becomes the quiet NaN.
 */

const scratchFloat = new Float32Array(1);
const scratchBits = new Uint32Array(scratchFloat.buffer);

const HALF_NAN = 0x7e00;
const HALF_INFINITY = 0x7c00;
const BRAIN_NAN = 0x7fc0;

/** Magnitudes from here on round to infinity: halfway between 65504 and the next step, 65536. */
const HALF_OVERFLOW = 65520;
const SMALLEST_NORMAL_HALF = 2 ** -14;
const HALF_SUBNORMAL_STEP = 2 ** -24;

/** Rounds the double straight to half precision: going through FP32 would round twice. */
export function float16FromNumber(value: number): number {
  if (Number.isNaN(value)) {
    return HALF_NAN;
  }
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  if (magnitude >= HALF_OVERFLOW) {
    return sign | HALF_INFINITY;
  }
  if (magnitude < SMALLEST_NORMAL_HALF) {
    return sign | roundToEven(magnitude / HALF_SUBNORMAL_STEP);
  }
  const exponent = Math.floor(Math.log2(magnitude));
  // log2 of a value just under a power of two may round up to it.
  const exact = 2 ** exponent > magnitude ? exponent - 1 : exponent;
  const mantissa = roundToEven((magnitude / 2 ** exact - 1) * 1024);
  // A mantissa that rounds up to 1024 carries into the exponent, which is what the sum of the fields gives.
  return sign | (((exact + 15) << 10) + mantissa);
}

function roundToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest > 0.5 || (rest === 0.5 && floor % 2 === 1)) {
    return floor + 1;
  }
  return floor;
}

export function numberFromFloat16(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const mantissa = bits & 0x3ff;
  if (exponent === 0x1f) {
    return mantissa === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  }
  return exponent === 0
    ? sign * mantissa * HALF_SUBNORMAL_STEP
    : sign * 2 ** (exponent - 15) * (1 + mantissa / 1024);
}

export function bfloat16FromNumber(value: number): number {
  if (Number.isNaN(value)) {
    return BRAIN_NAN;
  }
  scratchFloat[0] = value;
  const bits = scratchBits[0] ?? 0;
  const upper = bits >>> 16;
  const lower = bits & 0xffff;
  // FP32 has rounded already; where that landed exactly halfway, the double says on which side it really lies.
  let roundUp = lower > 0x8000 || (lower === 0x8000 && (upper & 1) === 1);
  if (lower === 0x8000 && Number.isFinite(value)) {
    const rounded = Math.abs(scratchFloat[0] ?? 0);
    const magnitude = Math.abs(value);
    if (magnitude !== rounded) {
      roundUp = magnitude > rounded;
    }
  }
  return roundUp ? (upper + 1) & 0xffff : upper;
}

export function numberFromBfloat16(bits: number): number {
  scratchBits[0] = bits << 16;
  return scratchFloat[0] ?? 0;
}
