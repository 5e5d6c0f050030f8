import { expect, it } from 'vitest';
import { createTensor } from '../tensor/create-tensor.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { classify } from './classification.ts';

const texts = (tensor: Tensor): string[] =>
  tensor.datatype === 'BYTES' ? tensor.data.map((bytes) => Buffer.from(bytes).toString()) : [];

const SCORES = createTensor('FP32', [2, 5], Float32Array.of(0.1, 0.5, 0.5, 0.25, -1, 1, 2, 3, 4, 5));

it('C07: the highest scores of each row, equal ones by index, a label where there is one', () => {
  const classes = classify(SCORES, 2, ['zero', 'one', 'two'], true);
  expect(classes).toMatchObject({ datatype: 'BYTES', shape: [2, 2] });
  expect(texts(classes)).toEqual(['0.500000:1:one', '0.500000:2:two', '5.000000:4', '4.000000:3']);
});

it('C07: no more than there are', () => {
  expect(classify(SCORES, 9, [], true).shape).toEqual([2, 5]);
});

it('C07: NaN comes after every number, infinities have their place', () => {
  const scores = createTensor(
    'FP64',
    [4],
    Float64Array.of(Number.NaN, Number.NEGATIVE_INFINITY, 1, Number.POSITIVE_INFINITY),
  );
  expect(texts(classify(scores, 4, [], false))).toEqual(['inf:3', '1.000000:2', '-inf:1', 'nan:0']);
});

it('C07: integers are exact', () => {
  const scores = createTensor('INT64', [1, 2], BigInt64Array.of(9007199254740993n, 9007199254740992n));
  expect(texts(classify(scores, 1, [], true))).toEqual(['9007199254740993:0']);
});
