import type { Tensor } from './tensor.ts';

const FLOAT16_EXPONENT = 0x7c00;
const BFLOAT16_EXPONENT = 0x7f80;

/** How many elements are NaN or infinite; 0 for every datatype that has no such values. */
export function countNonFinite(tensor: Tensor): number {
  switch (tensor.datatype) {
    case 'FP32':
    case 'FP64':
      return countNumbers(tensor.data);
    case 'FP16':
      return countBits(tensor.data, FLOAT16_EXPONENT);
    case 'BF16':
      return countBits(tensor.data, BFLOAT16_EXPONENT);
    default:
      return 0;
  }
}

function countNumbers(data: Float32Array | Float64Array): number {
  let count = 0;
  for (let index = 0; index < data.length; index += 1) {
    // x - x is 0 for every finite x, and NaN for the others.
    const value = data[index] ?? 0;
    if (value - value !== 0) {
      count += 1;
    }
  }
  return count;
}

function countBits(data: Uint16Array, exponent: number): number {
  let count = 0;
  for (const bits of data) {
    if ((bits & exponent) === exponent) {
      count += 1;
    }
  }
  return count;
}
