import { describe, expect, it } from 'vitest';
import type { Datatype } from '../../tensor/datatype.ts';
import type { Dims } from '../../tensor/shape.ts';
import { ValueError } from '../mapping/element-writer.ts';
import { createValueReader } from './read-values.ts';

const reader = (datatype: Datatype, dims: Dims) => createValueReader({ name: 'y', datatype, dims });

describe('fromJson', () => {
  it.each<[Datatype, Dims, unknown, readonly number[]]>([
    [
      'FP32',
      [2, 2],
      [
        [1, 2],
        [3, 4],
      ],
      [2, 2],
    ],
    ['FP32', [1], 0.5, [1]],
    ['FP32', [], 0.5, []],
    ['FP32', [1, 1], 0.5, [1, 1]],
    ['FP32', [-1], [0.5], [1]],
    ['FP32', [-1], [1, 2, 3], [3]],
    ['FP32', [-1], [], [0]],
    ['FP32', [0, 2], [], [0, 2]],
    ['FP32', [2, 0], [[], []], [2, 0]],
    ['FP32', [2], ['NaN', '-Infinity'], [2]],
    ['INT64', [1], 9223372036854775807n, [1]],
    ['UINT64', [1], 18446744073709551615n, [1]],
    ['BOOL', [2], [true, false], [2]],
    ['BYTES', [1], 'text', [1]],
  ])('reads %s %j from %s', (datatype, dims, value, shape) => {
    expect(reader(datatype, dims).fromJson(value)).toMatchObject({ datatype, shape });
  });

  it('gives back the value to the last bit', () => {
    const text = JSON.stringify([0.1, 1.17549435e-38, 3.4028235e38, -0]);
    const { data } = reader('FP32', [4]).fromJson(JSON.parse(text.replace(',0]', ',-0]')));
    expect(data).toEqual(Float32Array.of(0.1, 1.17549435e-38, 3.4028235e38, -0));
    expect(Object.is(data[3], -0)).toBe(true);
  });

  it.each<[string, Datatype, Dims, unknown, string]>([
    ['nothing', 'FP32', [1], undefined, "output 'y' is missing"],
    ['a value of another shape', 'FP32', [2], [1, 2, 3], "output 'y' has shape [3], expected [2]"],
    ['a flat array', 'FP32', [2, 2], [1, 2, 3, 4], 'has shape [4], expected [2,2]'],
    ['a single value', 'FP32', [2], 1, 'has shape [], expected [2]'],
    ['a single value of a size that varies', 'FP32', [-1], 1, 'has shape [], expected [-1]'],
    ['an array around a single value', 'FP32', [1], [[1]], 'has shape [1,1], expected [1]'],
    ['ragged arrays', 'FP32', [2, 2], [[1, 2], [3]], 'ragged arrays'],
    ['arrays and values', 'FP32', [2], [1, [2]], 'ragged arrays'],
    ['an empty array', 'FP32', [2], [], 'has shape [0], expected [2]'],
    ['null', 'FP32', [1], null, "output 'y': expected a number, got null"],
    ['a text', 'FP32', [1], 'x', 'expected a number'],
    ['true', 'FP32', [1], true, 'expected a number'],
    ['an object', 'FP32', [1], {}, 'expected a number'],
    ['a fraction', 'INT32', [1], 1.5, 'expected an integer'],
    ['too large an integer', 'UINT8', [1], 256, 'out of the range of UINT8'],
    ['a negative one', 'UINT8', [1], -1, 'out of the range of UINT8'],
    ['too large a long integer', 'INT64', [1], 9223372036854775808n, 'out of the range of INT64'],
    ['too large a float', 'FP32', [1], 1e39, 'too large for FP32'],
    ['too large a half', 'FP16', [1], 70000, 'too large for FP16'],
    ['a number for text', 'BYTES', [1], 1, 'expected text'],
    ['NaN for an integer', 'INT32', [1], 'NaN', "output 'y'"],
  ])('refuses %s', (_, datatype, dims, value, message) => {
    expect(() => reader(datatype, dims).fromJson(value)).toThrow(ValueError);
    expect(() => reader(datatype, dims).fromJson(value)).toThrow(message);
  });
});

describe('fromCells', () => {
  it('reads one value a cell', () => {
    expect(reader('FP32', [2, 2]).fromCells(['1', '-2.5', 'NaN', 'Infinity'])).toEqual({
      datatype: 'FP32',
      shape: [2, 2],
      data: Float32Array.of(1, -2.5, Number.NaN, Number.POSITIVE_INFINITY),
    });
    expect(reader('INT64', [1]).fromCells(['9223372036854775807']).data).toEqual(
      BigInt64Array.of(9223372036854775807n),
    );
  });

  it.each<[Datatype, string]>([
    ['FP32', ''],
    ['FP32', 'x'],
    ['FP32', '[1]'],
    ['UINT8', '256'],
    ['BOOL', 'maybe'],
  ])('refuses %s from %j', (datatype, cell) => {
    expect(() => reader(datatype, [1]).fromCells([cell])).toThrow(ValueError);
  });
});
