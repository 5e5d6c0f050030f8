import { assembleTensor } from '../tensor/create-tensor.ts';
import type { Dims, Shape } from '../tensor/shape.ts';
import { elementCount } from '../tensor/shape.ts';
import type { Tensor } from '../tensor/tensor.ts';

/**
 * The same elements under another shape. The batch dimension stays; a -1 in `rowDims` takes what the others leave.
 * Returns undefined when the elements of a row cannot fill `rowDims`.
 * @param batched true: the first dimension of `tensor` is the batch dimension.
 */
export function reshapeRows(tensor: Tensor, rowDims: Dims, batched: boolean): Tensor | undefined {
  const leading = batched ? tensor.shape.slice(0, 1) : [];
  const row = solveDims(rowDims, elementCount(batched ? tensor.shape.slice(1) : tensor.shape));
  return row === undefined ? undefined : assembleTensor(tensor.datatype, [...leading, ...row], tensor.data);
}

/** `dims` with its -1 replaced so that the shape holds `count` elements; undefined when there is no such shape. */
function solveDims(dims: Dims, count: number): Shape | undefined {
  const unknown = dims.filter((dim) => dim === -1).length;
  const known = elementCount(dims.filter((dim) => dim !== -1));
  if (unknown === 0) {
    return known === count ? dims : undefined;
  }
  if (unknown > 1 || known === 0 || count % known !== 0) {
    return undefined;
  }
  return dims.map((dim) => (dim === -1 ? count / known : dim));
}
