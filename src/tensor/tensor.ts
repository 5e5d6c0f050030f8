import type { Datatype } from './datatype.ts';
import type { Shape } from './shape.ts';

/**
 * How the elements of each datatype are held, flat and row-major. BOOL is one byte of 0 or 1. FP16 and BF16 are
 * their bits (`float16.ts` converts). A BYTES element is any byte string, text being UTF-8.
 */
interface ArrayTypes {
  BOOL: Uint8Array<ArrayBuffer>;
  UINT8: Uint8Array<ArrayBuffer>;
  UINT16: Uint16Array<ArrayBuffer>;
  UINT32: Uint32Array<ArrayBuffer>;
  UINT64: BigUint64Array<ArrayBuffer>;
  INT8: Int8Array<ArrayBuffer>;
  INT16: Int16Array<ArrayBuffer>;
  INT32: Int32Array<ArrayBuffer>;
  INT64: BigInt64Array<ArrayBuffer>;
  FP16: Uint16Array<ArrayBuffer>;
  FP32: Float32Array<ArrayBuffer>;
  FP64: Float64Array<ArrayBuffer>;
  BF16: Uint16Array<ArrayBuffer>;
  BYTES: readonly Uint8Array[];
}

/** The flat storage of a tensor of datatype `D`. */
export type TensorData<D extends Datatype = Datatype> = ArrayTypes[D];

/**
 * A dense tensor: `data.length` is the product of `shape` (1 for the empty shape of a scalar).
 * Data may be a view into a larger buffer that other tensors share: it is never written to after it is made,
 * and only a copy or a buffer that nobody else holds is transferred to a worker.
 */
export type Tensor = { [D in Datatype]: TensorOf<D> }[Datatype];

/** A tensor whose datatype is known. */
export interface TensorOf<D extends Datatype> {
  readonly datatype: D;
  readonly shape: Shape;
  readonly data: TensorData<D>;
}

/** A tensor without its data. */
export type TensorLayout = Pick<Tensor, 'datatype' | 'shape'>;

/** The tensors of a request or a response by name. */
export type NamedTensors = ReadonlyMap<string, Tensor>;
