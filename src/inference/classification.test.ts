import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTensor } from '../tensor/create-tensor.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { classify } from './classification.ts';

const texts = (tensor: Tensor): string[] =>
  tensor.datatype === 'BYTES' ? tensor.data.map((bytes) => Buffer.from(bytes).toString()) : [];

const doubles = (...values: readonly number[]): Tensor =>
  createTensor('FP64', [values.length], Float64Array.from(values));

const SCORES = createTensor('FP32', [2, 5], Float32Array.of(0.1, 0.5, 0.5, 0.25, -1, 1, 2, 3, 4, 5));

describe('C07: classify', () => {
  it('gives the highest scores of each row, equal ones by index, a label where there is one', () => {
    const classes = classify(SCORES, 2, ['zero', 'one', '', 'three', 'four'], true);
    expect(classes).toMatchObject({ datatype: 'BYTES', shape: [2, 2] });
    expect(texts(classes)).toEqual(['0.500000:1:one', '0.500000:2', '5.000000:4:four', '4.000000:3:three']);
  });

  it('leaves the label out for classes beyond the end of the labels', () => {
    expect(texts(classify(SCORES, 2, ['zero', 'one', 'two'], true)).slice(2)).toEqual([
      '5.000000:4',
      '4.000000:3',
    ]);
  });

  it('gives no more than there are', () => {
    expect(classify(SCORES, 9, [], true).shape).toEqual([2, 5]);
    expect(classify(createTensor('FP32', [2, 0], new Float32Array(0)), 3, [], true)).toMatchObject({
      shape: [2, 0],
      data: [],
    });
  });

  it('takes all dimensions behind the batch as one row, and the whole tensor where there is no batch', () => {
    const cube = createTensor('UINT8', [1, 2, 2], Uint8Array.of(4, 7, 6, 5));
    expect(texts(classify(cube, 2, [], true))).toEqual(['7:1', '6:2']);
    const classes = classify(SCORES, 1, [], false);
    expect([classes.shape, texts(classes)]).toEqual([[1], ['5.000000:9']]);
  });

  it('takes one value a row for a row of one class', () => {
    const labels = createTensor('INT32', [3], Int32Array.of(7, -7, 0));
    expect(texts(classify(labels, 1, [], true))).toEqual(['7:0', '-7:0', '0:0']);
  });

  it('puts NaN after every number, in the order of their indexes, and infinities in their place', () => {
    const { NaN: nan, NEGATIVE_INFINITY, POSITIVE_INFINITY } = Number;
    expect(texts(classify(doubles(nan, NEGATIVE_INFINITY, 1, nan, POSITIVE_INFINITY), 9, [], false))).toEqual(
      ['inf:4', '1.000000:2', '-inf:1', 'nan:0', 'nan:3'],
    );
    expect(texts(classify(doubles(nan, 0, nan, 1), 2, [], false))).toEqual(['1.000000:3', '0.000000:1']);
  });

  it('ranks integers exactly', () => {
    const signed = createTensor('INT64', [1, 2], BigInt64Array.of(9007199254740992n, 9007199254740993n));
    expect(texts(classify(signed, 1, [], true))).toEqual(['9007199254740993:1']);
    const unsigned = createTensor('UINT64', [1, 2], BigUint64Array.of(1n, 2n ** 64n - 1n));
    expect(texts(classify(unsigned, 2, [], true))).toEqual(['18446744073709551615:1', '1:0']);
  });

  it('gives what sorting all of them would, for any number of them', () => {
    const value = fc.oneof(
      fc.integer({ min: -3, max: 3 }),
      fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY),
    );
    fc.assert(
      fc.property(fc.array(value, { maxLength: 40 }), fc.integer({ min: 1, max: 45 }), (values, count) => {
        const rank = (number: number): number => (Number.isNaN(number) ? Number.NEGATIVE_INFINITY : number);
        const order = [...values.keys()].sort((a, b) => {
          const [first, second] = [rank(values[a] ?? 0), rank(values[b] ?? 0)];
          return first === second ? a - b : second - first;
        });
        const indexes = texts(classify(doubles(...values), count, [], false)).map((text) =>
          Number(text.split(':')[1]),
        );
        expect(indexes).toEqual(order.slice(0, count));
      }),
    );
  });

  it.each([
    [0.0078125, '0.007812'],
    [0.0234375, '0.023438'],
    [-0.0078125, '-0.007812'],
    [3.0078125, '3.007812'],
    [-0, '-0.000000'],
    [-1e-9, '-0.000000'],
    [0.0000005, '0.000000'],
    [0.9999999, '1.000000'],
    [1e15, '1000000000000000.000000'],
    [1e22, '10000000000000000000000.000000'],
    [-(2 ** 80), '-1208925819614629174706176.000000'],
  ])('prints %d as C does', (value, text) => {
    expect(texts(classify(doubles(value), 1, [], false))).toEqual([`${text}:0`]);
  });

  it('is a fault of ours for a datatype that requests may not rank', () => {
    expect(() => classify(createTensor('BOOL', [1], Uint8Array.of(1)), 1, [], false)).toThrow(
      'fault in millrace',
    );
  });
});
