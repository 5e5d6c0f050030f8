import { describe, expect, it } from 'vitest';
import { assembleTensor } from '../tensor/create-tensor.ts';
import { elementCount } from '../tensor/shape.ts';
import { reshapeRows } from './reshape.ts';

function zeros(shape: readonly number[]) {
  return assembleTensor('FP32', shape, new Float32Array(elementCount(shape)));
}

describe('C06: reshapeRows', () => {
  it.each([
    [[2, 1], [1], [], true, [2]],
    [[2], [], [1], true, [2, 1]],
    [[1], [1], [], false, []],
    [[3, 4], [4], [2, 2], true, [3, 2, 2]],
    [[3, 5], [-1], [1, -1], true, [3, 1, 5]],
    [[3, 2, 4, 7, 6], [2, 4, -1, 6], [8, -1, 1, 6], true, [3, 8, 7, 1, 6]],
    [[3, 5, 7], [-1, -1], [-1, 1, -1], true, [3, 5, 1, 7]],
    [[5, 7], [-1, -1], [-1, 1, -1], false, [5, 1, 7]],
    [[3, 0], [-1], [1, -1], true, [3, 1, 0]],
    [[0, 4], [4], [2, 2], true, [0, 2, 2]],
  ] as const)('%j of rows %j to rows %j, batched %s: %j', (shape, from, to, batched, expected) => {
    const tensor = zeros(shape);
    const reshaped = reshapeRows(tensor, from, to, batched);
    expect(reshaped?.shape).toEqual(expected);
    expect(reshaped?.data).toBe(tensor.data);
  });

  it('is a fault of ours where the elements of a row do not fill the dims, which the config was checked for', () => {
    expect(() => reshapeRows(zeros([2, 3]), [3], [], true)).toThrow('fault in millrace');
    expect(() => reshapeRows(zeros([2, 3]), [3], [-1], true)).toThrow('fault in millrace');
  });
});
