import { expect, it } from 'vitest';
import { createNpyResults } from './npy-results.ts';

it.each([
  ['text', [{ name: 'a', datatype: 'BYTES', dims: [1] }]],
  ['BF16', [{ name: 'a', datatype: 'BF16', dims: [1] }]],
  ['a size that varies', [{ name: 'a', datatype: 'FP32', dims: [-1] }]],
  [
    'two outputs of one file name',
    [
      { name: 'a/b', datatype: 'FP32', dims: [1] },
      { name: 'a:b', datatype: 'FP32', dims: [1] },
    ],
  ],
] as const)('%s is refused before the first row', (_, outputs) => {
  expect(() => createNpyResults(outputs)).toThrow(expect.objectContaining({ reason: 'USAGE' }));
});
