import { invariant } from '../base/invariant.ts';
import { assembleTensor } from './create-tensor.ts';
import type { Tensor } from './tensor.ts';

/**
 * Rows `[start, end)` along the first dimension, as a view: nothing is copied, BYTES elements are shared.
 * @param tensor of rank 1 or more, with at least `end` rows.
 * @param end at least `start`.
 */
export function sliceRows(tensor: Tensor, start: number, end: number): Tensor {
  const [rows = 0, ...trailing] = tensor.shape;
  invariant(start >= 0 && start <= end && end <= rows, 'slice beyond the rows of a tensor');
  const perRow = rows === 0 ? 0 : tensor.data.length / rows;
  const shape = [end - start, ...trailing];
  const data =
    tensor.datatype === 'BYTES'
      ? tensor.data.slice(start * perRow, end * perRow)
      : tensor.data.subarray(start * perRow, end * perRow);
  return assembleTensor(tensor.datatype, shape, data);
}
