import { describe, expect, it } from 'vitest';
import { allocateData, createTensor, findTensorFault } from './create-tensor.ts';
import { DATATYPE_NAMES, DATATYPES } from './datatype.ts';
import type { Tensor } from './tensor.ts';

it.each(DATATYPE_NAMES)('allocates zeros for %s that its own check accepts', (datatype) => {
  const data = allocateData(datatype, 6);
  expect(createTensor(datatype, [2, 3], data)).toEqual({ datatype, shape: [2, 3], data });
  expect(data.length).toBe(6);
  if (!Array.isArray(data)) {
    expect(data).toHaveProperty('BYTES_PER_ELEMENT', DATATYPES[datatype].bytes);
    expect([...data].map(Number)).toEqual([0, 0, 0, 0, 0, 0]);
  }
});

it('keeps the data it is given: neither copied nor changed', () => {
  const data = Float32Array.of(1, 2);
  expect(createTensor('FP32', [2], data).data).toBe(data);
});

it.each([
  { shape: [], length: 1 },
  { shape: [0], length: 0 },
  { shape: [2, 0], length: 0 },
  { shape: [0, 3, 4], length: 0 },
])('P06: holds $length elements in shape $shape', ({ shape, length }) => {
  expect(createTensor('FP32', shape, new Float32Array(length)).shape).toEqual(shape);
  expect(createTensor('BYTES', shape, allocateData('BYTES', length)).shape).toEqual(shape);
});

it.each([
  [[2, 3], 5, 'a FP32 tensor has shape [2,3], which is 6 elements, but 5 are given'],
  [[0], 1, 'a FP32 tensor has shape [0], which is 0 elements, but 1 are given'],
  [[], 0, 'a FP32 tensor has shape [], which is 1 elements, but 0 are given'],
  [[-1, -4], 4, 'a FP32 tensor has shape [-1,-4]: each size must be an integer of at least 0'],
  [[1.5, 2], 3, 'a FP32 tensor has shape [1.5,2]: each size must be an integer of at least 0'],
  [[Number.NaN], 0, 'a FP32 tensor has shape [NaN]: each size must be an integer of at least 0'],
])('P06: refuses shape %j with %i elements', (shape, length, message) => {
  expect(() => createTensor('FP32', shape, new Float32Array(length))).toThrow(
    expect.objectContaining({ reason: 'TENSOR_INVALID', message }),
  );
});

describe('findTensorFault', () => {
  /** What a caller without types may hand over. */
  const fromJavaScript = (tensor: unknown): Tensor => tensor as Tensor;

  it.each([
    ['FP32', [1, 2], 'must be held in a Float32Array, got a Array'],
    ['FP32', new Float64Array(2), 'must be held in a Float32Array, got a Float64Array'],
    ['INT64', new Int32Array(2), 'must be held in a BigInt64Array, got a Int32Array'],
    ['FP16', new Float32Array(2), 'must be held in a Uint16Array, got a Float32Array'],
    ['BYTES', new Uint8Array(2), 'must be held in a Array, got a Uint8Array'],
    ['BYTES', ['a', 'b'], 'must have a Uint8Array for each element, but element 0 is none'],
    ['BYTES', [new Uint8Array(1), null], 'must have a Uint8Array for each element, but element 1 is none'],
    ['FP32', undefined, 'must be held in a Float32Array, got undefined'],
    ['FP32', null, 'must be held in a Float32Array, got object'],
  ])('tells that data of %s may not be %o', (datatype, data, fault) => {
    expect(findTensorFault(fromJavaScript({ datatype, shape: [2], data }))).toBe(fault);
  });

  it('finds nothing to say of a tensor', () => {
    expect(findTensorFault({ datatype: 'BYTES', shape: [1], data: [Buffer.from('a')] })).toBeUndefined();
  });
});
