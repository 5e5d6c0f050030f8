import { invariant } from '../base/invariant.ts';
import { assembleTensor } from '../tensor/create-tensor.ts';
import { type Dims, elementCount } from '../tensor/shape.ts';
import type { Tensor } from '../tensor/tensor.ts';

/**
 * The same elements under the shape `to` instead of `from`, as a config's `reshape` asks: from `dims` to `reshape` on the
 * way into a model, and back on the way out. The sizes that stand for each -1 of `from` go to those of `to`, in order.
 * @param tensor fits `from`, behind its batch dimension, which stays as it is.
 * @param to holds as many elements as `from` before, between and after its -1, which is checked with the config.
 * @param batched true: the first dimension of `tensor` is the batch dimension.
 */
export function reshapeRows(tensor: Tensor, from: Dims, to: Dims, batched: boolean): Tensor {
  const offset = batched ? 1 : 0;
  const variable = tensor.shape.filter((_, axis) => axis >= offset && from[axis - offset] === -1);
  let next = 0;
  const shape = tensor.shape.slice(0, offset);
  for (const dim of to) {
    shape.push(dim === -1 ? (variable[next] ?? 0) : dim);
    next += dim === -1 ? 1 : 0;
  }
  invariant(elementCount(shape) === tensor.data.length, 'a reshape that its config should not allow');
  return assembleTensor(tensor.datatype, shape, tensor.data);
}
