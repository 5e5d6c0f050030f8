import { expect, it } from 'vitest';
import { createTensor } from './create-tensor.ts';
import { sliceRows } from './split.ts';

const matrix = createTensor('INT32', [3, 2], Int32Array.of(1, 2, 3, 4, 5, 6));

it('gives the rows asked for as a view of the same buffer', () => {
  const slice = sliceRows(matrix, 1, 3);
  expect(slice).toEqual(createTensor('INT32', [2, 2], Int32Array.of(3, 4, 5, 6)));
  expect('buffer' in slice.data && slice.data.buffer).toBe(matrix.data.buffer);
});

it('shares the elements of BYTES', () => {
  const elements = ['a', 'b', 'c'].map((text) => Buffer.from(text));
  const slice = sliceRows(createTensor('BYTES', [3], elements), 1, 2);
  expect(slice.shape).toEqual([1]);
  expect(slice.data[0]).toBe(elements[1]);
});

it.each([
  [0, 0, [0, 2]],
  [3, 3, [0, 2]],
])('P06: may be empty: rows %i to %i', (start, end, shape) => {
  expect(sliceRows(matrix, start, end)).toEqual(createTensor('INT32', shape, new Int32Array(0)));
});

it('P06: slices rows that hold nothing', () => {
  expect(sliceRows(createTensor('INT8', [4, 0], new Int8Array(0)), 1, 3).shape).toEqual([2, 0]);
});

it.each([
  [-1, 1],
  [2, 1],
  [2, 4],
])('never reaches beyond the rows: %i to %i', (start, end) => {
  expect(() => sliceRows(matrix, start, end)).toThrow('slice beyond the rows');
});
