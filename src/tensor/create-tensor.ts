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
 * @throws {MillraceError} TENSOR_INVALID when `data` is not the storage of the datatype, or its length is not the product
 *   of `shape`.
 */
export function createTensor<D extends Datatype>(
  datatype: D,
  shape: Shape,
  data: TensorData<D>,
): TensorOf<D> & Tensor {
  const tensor = assembleTensor(datatype, shape, data);
  const fault = findTensorFault(tensor);
  if (fault !== undefined) {
    throw new MillraceError('TENSOR_INVALID', `a ${datatype} tensor ${fault}`);
  }
  return tensor;
}

/**
 * Why `tensor` is none, for callers that types do not bind; undefined when it is one. The text goes on after the name of
 * the tensor: `has shape [2,3], which is 6 elements, but 5 are given`.
 */
export function findTensorFault({ datatype, shape, data }: Tensor): string | undefined {
  if (!(data instanceof ARRAY_TYPES[datatype])) {
    return `must be held in a ${ARRAY_TYPES[datatype].name}, got ${describeStorage(data)}`;
  }
  if (!shape.every(isSize)) {
    return `has shape ${formatShape(shape)}: each size must be an integer of at least 0`;
  }
  const count = elementCount(shape);
  if (data.length !== count) {
    return `has shape ${formatShape(shape)}, which is ${count} elements, but ${data.length} are given`;
  }
  if (datatype === 'BYTES') {
    const index = data.findIndex((element: unknown) => !(element instanceof Uint8Array));
    return index === -1 ? undefined : `must have a Uint8Array for each element, but element ${index} is none`;
  }
  return undefined;
}

function isSize(size: number): boolean {
  return Number.isInteger(size) && size >= 0;
}

function describeStorage(data: unknown): string {
  return typeof data === 'object' && data !== null ? `a ${data.constructor.name}` : typeof data;
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
