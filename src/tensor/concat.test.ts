import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canConcat, concatTensors } from './concat.ts';
import { createTensor } from './create-tensor.ts';
import { sliceRows } from './split.ts';
import type { Tensor } from './tensor.ts';
import {
  arbitraryDatatype,
  arbitraryTensor,
  arbitraryTrailingShape,
  tensorBytes,
} from './testing/arbitrary-tensor.ts';

/** Tensors that can stand in one batch, of any datatype and any number of rows each. */
const arbitraryParts: fc.Arbitrary<readonly Tensor[]> = fc
  .tuple(
    arbitraryDatatype,
    arbitraryTrailingShape,
    fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 5 }),
  )
  .chain(([datatype, trailing, rowCounts]) =>
    fc.tuple(...rowCounts.map((rows) => arbitraryTensor(datatype, [rows, ...trailing]))),
  );

const float = (shape: readonly number[], ...values: readonly number[]): Tensor =>
  createTensor('FP32', shape, Float32Array.from(values));

describe('concatTensors', () => {
  it('is undone by slicing at the same rows, for every datatype, zero sizes and NaN bits included', () => {
    fc.assert(
      fc.property(arbitraryParts, (parts) => {
        const joined = concatTensors(parts);
        expect(tensorBytes(joined)).toEqual(parts.flatMap(tensorBytes));
        let start = 0;
        for (const part of parts) {
          const [rows = 0] = part.shape;
          const slice = sliceRows(joined, start, start + rows);
          expect([slice.datatype, slice.shape]).toEqual([part.datatype, part.shape]);
          expect(tensorBytes(slice)).toEqual(tensorBytes(part));
          start += rows;
        }
        expect(joined.shape).toEqual([start, ...(parts[0]?.shape.slice(1) ?? [])]);
      }),
    );
  });

  it('gives a buffer of its own, no larger than its data, also for one part', () => {
    const whole = float([3, 2], 1, 2, 3, 4, 5, 6);
    const joined = concatTensors([sliceRows(whole, 1, 2)]);
    expect(joined).toEqual(float([1, 2], 3, 4));
    expect(joined.data).toHaveProperty('buffer.byteLength', 8);
  });

  it.each([
    ['none', []],
    ['scalars', [float([], 1)]],
    ['other trailing shapes', [float([1, 2], 1, 2), float([1, 1], 3)]],
    ['other ranks', [float([1, 1], 1), float([1], 2)]],
    ['other datatypes', [float([1], 1), createTensor('FP64', [1], Float64Array.of(1))]],
  ])('refuses to join %s', (_, parts) => {
    expect(() => concatTensors(parts)).toThrow('concat of');
  });
});

describe('canConcat', () => {
  it.each([
    [true, [2, 3], [5, 3]],
    [true, [2], [0]],
    [true, [1, 0], [4, 0]],
    [false, [2, 3], [2, 4]],
    [false, [2, 3, 1], [2, 3]],
    [false, [], []],
  ])('is %s for shapes %j and %j', (expected, a, b) => {
    const zeros = (shape: readonly number[]): Tensor =>
      createTensor('INT8', shape, new Int8Array(shape.reduce((product, size) => product * size, 1)));
    expect(canConcat(zeros(a), zeros(b))).toBe(expected);
  });

  it('is false for datatypes that share an array type', () => {
    const data = new Uint16Array(1);
    expect(canConcat(createTensor('FP16', [1], data), createTensor('BF16', [1], data))).toBe(false);
  });
});
