import { invariant } from '../base/invariant.ts';
import { allocateData, assembleTensor } from './create-tensor.ts';
import { elementCount, type Shape } from './shape.ts';
import type { Tensor, TensorLayout } from './tensor.ts';

/**
 * Joins tensors along their first dimension: one allocation, one copy of each part, in order. The result owns its
 * buffer, also when there is only one part, so that it can be given away.
 * @param parts at least one; all of the same datatype and the same shape behind the first dimension.
 */
export function concatTensors(parts: readonly Tensor[]): Tensor {
  const [first] = parts;
  invariant(first !== undefined && first.shape.length > 0, 'concat of no tensor, or of scalars');
  let rows = 0;
  for (const part of parts) {
    invariant(canConcat(first, part), 'concat of tensors of different datatype or trailing shape');
    rows += part.shape[0] ?? 0;
  }
  const shape: Shape = [rows, ...first.shape.slice(1)];
  if (first.datatype === 'BYTES') {
    return assembleTensor(
      'BYTES',
      shape,
      parts.flatMap((part) => (part.datatype === 'BYTES' ? part.data : [])),
    );
  }
  const target = allocateData(first.datatype, elementCount(shape));
  let offset = 0;
  for (const part of parts) {
    // `canConcat` has shown that the arrays are of one type, which the compiler does not follow through the union.
    (target as Uint8Array).set(part.data as Uint8Array, offset);
    offset += part.data.length;
  }
  return assembleTensor(first.datatype, shape, target);
}

/** True when the two can stand in one batch: same datatype, same rank of at least 1, same shape behind the first dimension. */
export function canConcat(a: TensorLayout, b: TensorLayout): boolean {
  const rank = a.shape.length;
  if (a.datatype !== b.datatype || rank !== b.shape.length || rank === 0) {
    return false;
  }
  for (let index = 1; index < rank; index += 1) {
    if (a.shape[index] !== b.shape[index]) {
      return false;
    }
  }
  return true;
}
