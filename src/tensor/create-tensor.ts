import { MillraceError } from '../base/errors.ts';
import type { Datatype } from './datatype.ts';
import { elementCount, formatShape, type Shape } from './shape.ts';
import type { Tensor, TensorData, TensorOf } from './tensor.ts';

const EMPTY_BYTES = new Uint8Array(0);

const ALLOCATE: { readonly [D in Datatype]: (length: number) => TensorData<D> } = {
  BOOL: (length) => new Uint8Array(length),
  UINT8: (length) => new Uint8Array(length),
  UINT16: (length) => new Uint16Array(length),
  UINT32: (length) => new Uint32Array(length),
  UINT64: (length) => new BigUint64Array(length),
  INT8: (length) => new Int8Array(length),
  INT16: (length) => new Int16Array(length),
  INT32: (length) => new Int32Array(length),
  INT64: (length) => new BigInt64Array(length),
  FP16: (length) => new Uint16Array(length),
  FP32: (length) => new Float32Array(length),
  FP64: (length) => new Float64Array(length),
  BF16: (length) => new Uint16Array(length),
  BYTES: (length) => new Array<Uint8Array>(length).fill(EMPTY_BYTES),
};

const ARRAY_TYPES: {
  readonly [D in Datatype]: abstract new (
    ...args: never[]
  ) => TensorData<D>;
} = {
  BOOL: Uint8Array,
  UINT8: Uint8Array,
  UINT16: Uint16Array,
  UINT32: Uint32Array,
  UINT64: BigUint64Array,
  INT8: Int8Array,
  INT16: Int16Array,
  INT32: Int32Array,
  INT64: BigInt64Array,
  FP16: Uint16Array,
  FP32: Float32Array,
  FP64: Float64Array,
  BF16: Uint16Array,
  BYTES: Array,
};

/** Storage for `length` elements, all zero or empty. The caller owns it. */
export function allocateData<D extends Datatype>(datatype: D, length: number): TensorData<D> {
  return ALLOCATE[datatype](length);
}

/**
 * A tensor over `data`, which is neither copied nor given away.
 * @throws {MillraceError} TENSOR_INVALID when the length of `data` is not the product of `shape`, or its array type is
 *   not that of the datatype.
 */
export function createTensor<D extends Datatype>(
  datatype: D,
  shape: Shape,
  data: TensorData<D>,
): TensorOf<D> & Tensor {
  if (!(data instanceof ARRAY_TYPES[datatype])) {
    throw new MillraceError(
      'TENSOR_INVALID',
      `data of a ${datatype} tensor is held in ${ARRAY_TYPES[datatype].name}, got ${data.constructor.name}`,
    );
  }
  if (data.length !== elementCount(shape)) {
    throw new MillraceError(
      'TENSOR_INVALID',
      `shape ${formatShape(shape)} holds ${elementCount(shape)} elements, got ${data.length}`,
    );
  }
  return assembleTensor(datatype, shape, data);
}

/** `createTensor` without the checks, for code that has just made `data` for this datatype and shape. */
export function assembleTensor<D extends Datatype>(
  datatype: D,
  shape: Shape,
  data: TensorData<D>,
): TensorOf<D> & Tensor {
  // The compiler cannot see that a TensorOf<D> is a member of the union of all TensorOf for every D.
  return { datatype, shape, data } as TensorOf<D> & Tensor;
}
