import { assembleTensor } from '../tensor/create-tensor.ts';
import { type Dims, elementCount, type Shape } from '../tensor/shape.ts';
import type { Tensor } from '../tensor/tensor.ts';

/**
 * The same elements under another shape. The batch dimension stays; the first -1 of `to` takes the size that stands at
 * the first -1 of `from`, the second that of the second, and so on, as the rules for `reshape` in a config have it.
 * Returns undefined when the elements of a row do not fill `to`.
 * @param from dims that the rows of `tensor` have.
 * @param to dims that the rows shall have.
 * @param batched true: the first dimension of `tensor` is the batch dimension.
 */
export function reshapeRows(tensor: Tensor, from: Dims, to: Dims, batched: boolean): Tensor | undefined {
  const leading = batched ? tensor.shape.slice(0, 1) : [];
  const row = tensor.shape.slice(leading.length);
  const reshaped = carrySizes(row, from, to);
  return elementCount(reshaped) === elementCount(row)
    ? assembleTensor(tensor.datatype, [...leading, ...reshaped], tensor.data)
    : undefined;
}

function carrySizes(row: Shape, from: Dims, to: Dims): Shape {
  const sizes = row.filter((_, index) => from[index] === -1).values();
  return to.map((dim) => (dim === -1 ? (sizes.next().value ?? dim) : dim));
}
