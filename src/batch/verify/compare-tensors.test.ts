import { describe, expect, it } from 'vitest';
import { assembleTensor } from '../../tensor/create-tensor.ts';
import { bfloat16FromNumber, float16FromNumber } from '../../tensor/float16.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import { compareTensors } from './compare-tensors.ts';

const floats = (...values: number[]): Tensor =>
  assembleTensor('FP32', [values.length], Float32Array.from(values));

describe('compareTensors', () => {
  it.each<[string, Tensor, Tensor]>([
    ['the same numbers', floats(1, -2), floats(1, -2)],
    ['NaN and NaN', floats(Number.NaN), floats(Number.NaN)],
    ['no values', floats(), floats()],
    [
      'the same bytes',
      assembleTensor('BYTES', [1], [Buffer.from([0xff, 0])]),
      assembleTensor('BYTES', [1], [Uint8Array.of(0xff, 0)]),
    ],
    [
      'the same long integers',
      assembleTensor('INT64', [1], BigInt64Array.of(2n ** 62n)),
      assembleTensor('INT64', [1], BigInt64Array.of(2n ** 62n)),
    ],
  ])('same: %s', (_, a, b) => {
    expect(compareTensors(a, b)).toBe('same');
  });

  it.each<[string, Tensor, Tensor]>([
    ['the last digit of FP32', floats(1), floats(1 + 2 ** -23)],
    ['a large FP32', floats(3e8), floats(3e8 + 64)],
    ['almost nothing', floats(1e-12), floats(3e-12)],
    ['0 and -0', floats(0), floats(-0)],
    [
      'FP64',
      assembleTensor('FP64', [1], Float64Array.of(1)),
      assembleTensor('FP64', [1], Float64Array.of(1 + 1e-12)),
    ],
    [
      'FP16',
      assembleTensor('FP16', [1], Uint16Array.of(float16FromNumber(1))),
      assembleTensor('FP16', [1], Uint16Array.of(float16FromNumber(1.001))),
    ],
    [
      'BF16',
      assembleTensor('BF16', [1], Uint16Array.of(bfloat16FromNumber(1))),
      assembleTensor('BF16', [1], Uint16Array.of(bfloat16FromNumber(1.01))),
    ],
  ])('close: %s', (_, a, b) => {
    expect(compareTensors(a, b)).toBe('close');
  });

  it.each<[string, Tensor, Tensor]>([
    ['numbers', floats(1, 2), floats(1, 2.1)],
    ['the second difference, behind a small one', floats(1, 2), floats(1 + 2 ** -23, 3)],
    ['NaN and a number', floats(Number.NaN), floats(1)],
    ['two infinities', floats(Number.POSITIVE_INFINITY), floats(Number.NEGATIVE_INFINITY)],
    ['an infinity and a number', floats(Number.POSITIVE_INFINITY), floats(3e38)],
    ['shapes', floats(1), floats(1, 1)],
    ['datatypes', floats(1), assembleTensor('FP64', [1], Float64Array.of(1))],
    [
      'integers by one',
      assembleTensor('INT64', [1], BigInt64Array.of(2n ** 62n)),
      assembleTensor('INT64', [1], BigInt64Array.of(2n ** 62n + 1n)),
    ],
    [
      'small integers by one',
      assembleTensor('INT32', [1], Int32Array.of(7)),
      assembleTensor('INT32', [1], Int32Array.of(8)),
    ],
    [
      'bytes',
      assembleTensor('BYTES', [1], [Buffer.from('a')]),
      assembleTensor('BYTES', [1], [Buffer.from('b')]),
    ],
  ])('different: %s', (_, a, b) => {
    expect(compareTensors(a, b)).toBe('different');
    expect(compareTensors(b, a)).toBe('different');
  });
});
