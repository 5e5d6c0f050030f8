/**
 * A lane is a piece of memory that an instance and its worker thread share. A batch of small numeric tensors goes there
 * and back in it, so that the message itself is one number: a message with tensors costs each side several times as much
 * as the copying does. ONNX Runtime takes no shared memory: both sides copy what they read.
 *
 *     bytes 0..247     integers: output set, number of tensors, then for each tensor
 *                      datatype (0: left out), offset, bytes, rank, dims
 *     bytes 248..255   microseconds of compute, a double
 *     bytes 256..      data, each tensor at a multiple of 8
 *
 * A lane belongs to one batch at a time: to the main thread until its number is posted, then to the worker until the
 * reply. The messages order the accesses.
 */

import { assembleTensor } from '../../tensor/create-tensor.ts';
import { DATATYPE_NAMES, type Datatype } from '../../tensor/datatype.ts';
import type { Shape } from '../../tensor/shape.ts';
import type { Tensor, TensorData } from '../../tensor/tensor.ts';
import type { NumericDatatype } from './messages.ts';

/** Memory of a lane: what is larger travels in the message, where its buffer is transferred. */
export const LANE_BYTES = 128 << 10;

const HEADER_INTEGERS = 62;
const COMPUTE_DOUBLE = 31;
const DATA_OFFSET = 256;
const ALIGNMENT = 8;

const OUTPUT_SET = 0;
const TENSOR_COUNT = 1;
const FIRST_TENSOR = 2;
const INTEGERS_BEFORE_DIMS = 4;

const DATA_OVER: { readonly [D in NumericDatatype]: (buffer: ArrayBuffer) => TensorData<D> } = {
  BOOL: (buffer) => new Uint8Array(buffer),
  UINT8: (buffer) => new Uint8Array(buffer),
  UINT16: (buffer) => new Uint16Array(buffer),
  UINT32: (buffer) => new Uint32Array(buffer),
  UINT64: (buffer) => new BigUint64Array(buffer),
  INT8: (buffer) => new Int8Array(buffer),
  INT16: (buffer) => new Int16Array(buffer),
  INT32: (buffer) => new Int32Array(buffer),
  INT64: (buffer) => new BigInt64Array(buffer),
  FP16: (buffer) => new Uint16Array(buffer),
  FP32: (buffer) => new Float32Array(buffer),
  FP64: (buffer) => new Float64Array(buffer),
  BF16: (buffer) => new Uint16Array(buffer),
};

/** What can be written: a tensor, or what has not become one yet. */
export interface LaneTensor {
  readonly datatype: Datatype;
  readonly shape: Shape;
  /** BYTES, in whatever form, do not go into a lane. */
  readonly data: object;
}

export class SharedLane {
  readonly #integers: Int32Array;
  readonly #doubles: Float64Array;
  readonly #bytes: Uint8Array;

  /** @param memory of `LANE_BYTES`. */
  constructor(memory: SharedArrayBuffer) {
    this.#integers = new Int32Array(memory, 0, HEADER_INTEGERS);
    this.#doubles = new Float64Array(memory);
    this.#bytes = new Uint8Array(memory);
  }

  get outputSet(): number {
    return this.#integers[OUTPUT_SET] ?? 0;
  }

  set outputSet(index: number) {
    this.#integers[OUTPUT_SET] = index;
  }

  get computeMicroseconds(): number {
    return this.#doubles[COMPUTE_DOUBLE] ?? 0;
  }

  set computeMicroseconds(value: number) {
    this.#doubles[COMPUTE_DOUBLE] = value;
  }

  /** Copies the tensors in. False: they do not fit, and the lane holds nothing. */
  write(tensors: readonly (LaneTensor | undefined)[]): boolean {
    let integer = FIRST_TENSOR;
    let offset = DATA_OFFSET;
    for (const tensor of tensors) {
      const rank = tensor?.shape.length ?? 0;
      if (integer + INTEGERS_BEFORE_DIMS + rank > HEADER_INTEGERS) {
        return false;
      }
      const written = this.#writeTensor(tensor, integer, offset);
      if (written === undefined) {
        return false;
      }
      integer += INTEGERS_BEFORE_DIMS + rank;
      offset = Math.ceil((offset + written) / ALIGNMENT) * ALIGNMENT;
    }
    this.#integers[TENSOR_COUNT] = tensors.length;
    return true;
  }

  /** Copies the tensors out, each into a buffer of its own. */
  read(): (Tensor | undefined)[] {
    const tensors: (Tensor | undefined)[] = [];
    let integer = FIRST_TENSOR;
    for (let index = 0; index < this.#at(TENSOR_COUNT); index += 1) {
      const datatype = DATATYPE_NAMES[this.#at(integer) - 1];
      const rank = this.#at(integer + 3);
      if (datatype === undefined || datatype === 'BYTES') {
        tensors.push(undefined);
      } else {
        const offset = this.#at(integer + 1);
        const { buffer } = this.#bytes.slice(offset, offset + this.#at(integer + 2));
        const shape = Array.from({ length: rank }, (_, axis) =>
          this.#at(integer + INTEGERS_BEFORE_DIMS + axis),
        );
        // The slice of shared memory is not shared.
        tensors.push(assembleTensor(datatype, shape, DATA_OVER[datatype](buffer as ArrayBuffer)));
      }
      integer += INTEGERS_BEFORE_DIMS + rank;
    }
    return tensors;
  }

  #at(index: number): number {
    return this.#integers[index] ?? 0;
  }

  /** @returns bytes of data; undefined when the tensor does not fit or is of BYTES. */
  #writeTensor(tensor: LaneTensor | undefined, integer: number, offset: number): number | undefined {
    if (tensor === undefined) {
      this.#integers.fill(0, integer, integer + INTEGERS_BEFORE_DIMS);
      return 0;
    }
    const { datatype, shape, data } = tensor;
    if (!ArrayBuffer.isView(data) || offset + data.byteLength > LANE_BYTES) {
      return undefined;
    }
    this.#integers[integer] = DATATYPE_NAMES.indexOf(datatype) + 1;
    this.#integers[integer + 1] = offset;
    this.#integers[integer + 2] = data.byteLength;
    this.#integers[integer + 3] = shape.length;
    this.#integers.set(shape, integer + INTEGERS_BEFORE_DIMS);
    this.#bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), offset);
    return data.byteLength;
  }
}
