import { numberFromBfloat16, numberFromFloat16 } from '../../tensor/float16.ts';
import { shapeMatches } from '../../tensor/shape.ts';
import type { Tensor } from '../../tensor/tensor.ts';

/** `close`: floats that differ by no more than another order of the same sums gives. */
export type Likeness = 'same' | 'close' | 'different';

/** Largest difference that is close, of the larger magnitude, or of 1 where both are smaller. */
const TOLERANCES: Partial<Record<Tensor['datatype'], number>> = {
  FP64: 1e-9,
  FP32: 1e-4,
  FP16: 1e-2,
  BF16: 5e-2,
};

/** How alike two values of an output are. Every NaN is the same as every other. */
export function compareTensors(a: Tensor, b: Tensor): Likeness {
  if (a.datatype !== b.datatype || !shapeMatches(a.shape, b.shape)) {
    return 'different';
  }
  const tolerance = TOLERANCES[a.datatype] ?? 0;
  let likeness: Likeness = 'same';
  for (let index = 0; index < a.data.length; index += 1) {
    const left = elementOf(a, index);
    const right = elementOf(b, index);
    if (Object.is(left, right)) {
      continue;
    }
    if (typeof left !== 'number' || typeof right !== 'number' || !areClose(left, right, tolerance)) {
      return 'different';
    }
    likeness = 'close';
  }
  return likeness;
}

function areClose(left: number, right: number, tolerance: number): boolean {
  const distance = Math.abs(left - right);
  return Number.isFinite(distance) && distance <= tolerance * Math.max(1, Math.abs(left), Math.abs(right));
}

/** A value that `Object.is` compares. */
function elementOf(tensor: Tensor, index: number): unknown {
  switch (tensor.datatype) {
    case 'FP16':
      return numberFromFloat16(tensor.data[index] ?? 0);
    case 'BF16':
      return numberFromBfloat16(tensor.data[index] ?? 0);
    case 'BYTES':
      return Buffer.from(tensor.data[index] ?? []).toString('latin1');
    default:
      return tensor.data[index];
  }
}
