import fc from 'fast-check';
import { allocateData, createTensor } from '../create-tensor.ts';
import { DATATYPE_NAMES, DATATYPES, type Datatype } from '../datatype.ts';
import { elementCount, type Shape } from '../shape.ts';
import type { Tensor } from '../tensor.ts';

/** Sizes of the dimensions behind the first, 0 among them. */
export const arbitraryTrailingShape: fc.Arbitrary<Shape> = fc.array(fc.integer({ min: 0, max: 3 }), {
  maxLength: 3,
});

export const arbitraryDatatype: fc.Arbitrary<Datatype> = fc.constantFrom(...DATATYPE_NAMES);

/** A tensor of this datatype and shape, of arbitrary bits, as a view into the middle of a larger buffer. */
export function arbitraryTensor(datatype: Datatype, shape: Shape): fc.Arbitrary<Tensor> {
  const count = elementCount(shape);
  if (datatype === 'BYTES') {
    return fc
      .array(fc.uint8Array({ maxLength: 5 }), { minLength: count, maxLength: count })
      .map((data) => createTensor('BYTES', shape, data));
  }
  const byteLength = count * DATATYPES[datatype].bytes;
  const max = datatype === 'BOOL' ? 1 : 255;
  return fc.uint8Array({ minLength: byteLength, maxLength: byteLength, max }).map((bytes) => {
    const data = allocateData(datatype, count + 2).subarray(1, count + 1);
    new Uint8Array(data.buffer, data.byteOffset, data.byteLength).set(bytes);
    return createTensor(datatype, shape, data);
  });
}

/** The bytes of every element, by which tensors of any datatype, NaN included, are compared. */
export function tensorBytes(tensor: Tensor): readonly number[][] {
  if (tensor.datatype === 'BYTES') {
    return tensor.data.map((element) => [...element]);
  }
  const { buffer, byteOffset, byteLength, BYTES_PER_ELEMENT: size } = tensor.data;
  const bytes = [...new Uint8Array(buffer, byteOffset, byteLength)];
  return Array.from({ length: tensor.data.length }, (_, index) =>
    bytes.slice(index * size, (index + 1) * size),
  );
}
