import { expect, it } from 'vitest';
import { createTensor } from './create-tensor.ts';
import { bfloat16FromNumber, float16FromNumber, numberFromBfloat16, numberFromFloat16 } from './float16.ts';
import { countNonFinite } from './non-finite.ts';

const NUMBERS = [0, -0, 1.5, Number.NaN, Number.POSITIVE_INFINITY, -2, Number.NEGATIVE_INFINITY, 1e-30];

it.each([
  createTensor('FP32', [8], Float32Array.from(NUMBERS)),
  createTensor('FP64', [8], Float64Array.from([...NUMBERS.slice(0, 7), Number.MAX_VALUE])),
  createTensor('FP16', [8], Uint16Array.from(NUMBERS, float16FromNumber)),
  createTensor('BF16', [8], Uint16Array.from(NUMBERS, bfloat16FromNumber)),
])('O04: counts NaN and both infinities of $datatype', (tensor) => {
  expect(countNonFinite(tensor)).toBe(3);
});

it.each([
  ['FP16', numberFromFloat16],
  ['BF16', numberFromBfloat16],
] as const)('O04: knows every non-finite pattern of %s', (datatype, decode) => {
  const patterns = Uint16Array.from({ length: 0x10000 }, (_, bits) => bits);
  const expected = patterns.filter((bits) => !Number.isFinite(decode(bits))).length;
  expect(countNonFinite(createTensor(datatype, [0x10000], patterns))).toBe(expected);
});

it('counts nothing where there is none: integers, BOOL, BYTES, empty tensors', () => {
  expect(countNonFinite(createTensor('UINT16', [1], Uint16Array.of(0x7c00)))).toBe(0);
  expect(countNonFinite(createTensor('INT64', [1], BigInt64Array.of(-1n)))).toBe(0);
  expect(countNonFinite(createTensor('BOOL', [1], Uint8Array.of(1)))).toBe(0);
  expect(countNonFinite(createTensor('BYTES', [1], [Buffer.from('NaN')]))).toBe(0);
  expect(countNonFinite(createTensor('FP32', [0], new Float32Array(0)))).toBe(0);
});
