import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTensor } from './create-tensor.ts';
import { elementCount } from './shape.ts';
import type { Tensor } from './tensor.ts';
import { elementToJson, tensorRowToJson } from './tensor-json.ts';
import { arbitraryTrailingShape } from './testing/arbitrary-tensor.ts';

const counting = (shape: readonly number[]): Tensor =>
  createTensor(
    'FP32',
    shape,
    Float32Array.from({ length: elementCount(shape) }, (_, index) => index),
  );

describe('tensorRowToJson', () => {
  it('keeps the array of a single value where it is told to', () => {
    expect(tensorRowToJson(counting([2, 1]), 1)).toBe('1');
    expect(tensorRowToJson(counting([2, 1]), 1, false)).toBe('[1]');
    expect(tensorRowToJson(counting([1, 1, 1]), 0, false)).toBe('[[0]]');
  });

  it.each([
    [[3], 2, '2'],
    [[3, 1], 2, '2'],
    [[3, 1, 1], 2, '2'],
    [[2, 3], 1, '[3,4,5]'],
    [[2, 3, 1], 1, '[[3],[4],[5]]'],
    [[2, 1, 3], 1, '[[3,4,5]]'],
    [[2, 2, 2], 1, '[[4,5],[6,7]]'],
    [[2, 0], 1, '[]'],
    [[2, 0, 3], 1, '[]'],
    [[2, 3, 0], 1, '[[],[],[]]'],
  ])('of shape %j prints row %i as %s', (shape, row, text) => {
    expect(tensorRowToJson(counting(shape), row)).toBe(text);
  });

  it('reads back as the row, nested as the dimensions are', () => {
    const nest = (values: readonly number[], [size, ...inner]: readonly number[]): unknown =>
      size === undefined
        ? values[0]
        : Array.from({ length: size }, (_, index) => {
            const step = elementCount(inner);
            return nest(values.slice(index * step, (index + 1) * step), inner);
          });
    fc.assert(
      fc.property(arbitraryTrailingShape, fc.constantFrom(0, 1), (trailing, row) => {
        const perRow = elementCount(trailing);
        const values = Array.from({ length: perRow }, (_, index) => row * perRow + index);
        expect(JSON.parse(tensorRowToJson(counting([2, ...trailing]), row))).toEqual(
          perRow === 1 ? values[0] : nest(values, trailing),
        );
      }),
    );
  });

  it('P01: keeps every number and marks NaN and infinities as text, so that each line is strict JSON', () => {
    const data = Float64Array.of(Number.NaN, -0, Number.NEGATIVE_INFINITY, 1e21);
    expect(tensorRowToJson(createTensor('FP64', [1, 4], data), 0)).toBe('["NaN",-0,"-Infinity",1e+21]');
    expect(tensorRowToJson(createTensor('FP32', [1, 4], Float32Array.from(data)), 0)).toBe(
      '["NaN",-0,"-Infinity",1e+21]',
    );
  });

  it('P09: prints 64-bit integers digit for digit', () => {
    const signed = BigInt64Array.of(9007199254740993n, 9223372036854775807n, -9223372036854775808n);
    expect(tensorRowToJson(createTensor('INT64', [1, 3], signed), 0)).toBe(
      '[9007199254740993,9223372036854775807,-9223372036854775808]',
    );
    const unsigned = createTensor('UINT64', [1], BigUint64Array.of(18446744073709551615n));
    expect(tensorRowToJson(unsigned, 0)).toBe('18446744073709551615');
  });

  it.each<[Tensor, string]>([
    [createTensor('BOOL', [1, 2], Uint8Array.of(0, 1)), '[false,true]'],
    [createTensor('UINT8', [1, 2], Uint8Array.of(0, 255)), '[0,255]'],
    [createTensor('UINT16', [1, 2], Uint16Array.of(0, 65535)), '[0,65535]'],
    [createTensor('UINT32', [1, 2], Uint32Array.of(0, 4294967295)), '[0,4294967295]'],
    [createTensor('INT8', [1, 2], Int8Array.of(-128, 127)), '[-128,127]'],
    [createTensor('INT16', [1, 2], Int16Array.of(-32768, 32767)), '[-32768,32767]'],
    [createTensor('INT32', [1, 2], Int32Array.of(-2147483648, 2147483647)), '[-2147483648,2147483647]'],
    [createTensor('FP16', [1, 2], Uint16Array.of(0x7bff, 0x8000)), '[65500,-0]'],
    [createTensor('BF16', [1, 2], Uint16Array.of(0x3dcd, 0x7f80)), '[0.1,"Infinity"]'],
    [createTensor('BYTES', [1, 2], [Buffer.from('a"b\\\n'), Buffer.alloc(0)]), '["a\\"b\\\\\\n",""]'],
  ])('prints the ends of the range of $datatype', (tensor, text) => {
    expect(tensorRowToJson(tensor, 0)).toBe(text);
  });
});

describe('elementToJson of BYTES', () => {
  it('gives back any text, a leading byte order mark and characters beyond 16 bits included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom('', '\uFEFF'), (text, prefix) => {
        const tensor = createTensor('BYTES', [1], [Buffer.from(prefix + text)]);
        expect(JSON.parse(elementToJson(tensor, 0))).toBe(prefix + text);
      }),
    );
  });

  it.each(['ff', 'c3', 'c080', 'eda080', 'f4908080', '61ff62'])(
    'refuses the bytes %s, which are not UTF-8, naming the element',
    (hex) => {
      const tensor = createTensor('BYTES', [2], [Buffer.from('fine'), Buffer.from(hex, 'hex')]);
      expect(() => tensorRowToJson(tensor, 1)).toThrow(
        expect.objectContaining({
          reason: 'TENSOR_INVALID',
          message: expect.stringContaining('element 1 of a BYTES tensor is not UTF-8'),
        }),
      );
    },
  );
});
