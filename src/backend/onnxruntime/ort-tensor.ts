import { Tensor as OrtTensor } from 'onnxruntime-node';
import { invariant } from '../../base/invariant.ts';
import type { TensorData } from '../../tensor/tensor.ts';
import type { NumericDatatype, PortTensor } from './messages.ts';
import { datatypeOfOrtType, ORT_TYPES } from './ort-types.ts';
import { decodeStrings, encodeStrings } from './packed-bytes.ts';
import { transferLarge } from './port-tensor.ts';

/**
 * The tensor that a session takes, over the same buffer.
 * @throws {Error} when the data does not fill the shape, when an element of BYTES cannot be an ONNX string, or for BF16.
 */
export function toOrtTensor([datatype, shape, data]: PortTensor): OrtTensor {
  if ('ends' in data) {
    return new OrtTensor('string', decodeStrings(data), shape);
  }
  const type = ORT_TYPES[datatype];
  if (type === undefined) {
    throw new Error(`ONNX Runtime for Node takes no ${datatype} tensor`);
  }
  return new OrtTensor(type, data, shape);
}

/** What a session gave, over the same buffer, which is added to `transfer` when it is large. */
export function fromOrtTensor(tensor: OrtTensor, transfer: Set<ArrayBuffer>): PortTensor {
  const { data, dims } = tensor;
  if (Array.isArray(data)) {
    const packed = encodeStrings(data);
    transferLarge(packed.bytes.buffer, transfer);
    return ['BYTES', dims, packed];
  }
  const datatype = datatypeOfOrtType(tensor.type);
  invariant(
    datatype !== undefined && datatype !== 'BYTES',
    `an output of type ${tensor.type} was let through at load`,
  );
  invariant(
    ownsItsBuffer(data),
    `output of type ${tensor.type} is not a numeric array over a buffer of its own`,
  );
  transferLarge(data.buffer, transfer);
  return [datatype, dims, data];
}

function ownsItsBuffer(data: OrtTensor.DataType): data is TensorData<NumericDatatype> {
  return (
    !Array.isArray(data) && data.buffer instanceof ArrayBuffer && data.byteLength === data.buffer.byteLength
  );
}
