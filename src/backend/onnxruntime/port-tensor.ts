import { assembleTensor } from '../../tensor/create-tensor.ts';
import type { Tensor, TensorData } from '../../tensor/tensor.ts';
import { type NumericDatatype, type PortTensor, TRANSFER_BYTES } from './messages.ts';
import { packElements, unpackElements } from './packed-bytes.ts';

/**
 * A tensor as a message carries it. A large buffer is added to `transfer` when the tensor fills the whole of it; of a
 * view into a larger or shared buffer a copy is sent, since others may still read the rest.
 */
export function toPortTensor(tensor: Tensor, transfer: Set<ArrayBuffer>): PortTensor {
  if (tensor.datatype === 'BYTES') {
    const packed = packElements(tensor.data);
    transferLarge(packed.bytes.buffer, transfer);
    return ['BYTES', tensor.shape, packed];
  }
  const data = ownData(tensor.data, transfer);
  transferLarge(data.buffer, transfer);
  return [tensor.datatype, tensor.shape, data];
}

/** Adds a buffer to `transfer` if it is not cheaper to copy it. */
export function transferLarge(buffer: ArrayBuffer, transfer: Set<ArrayBuffer>): void {
  if (buffer.byteLength >= TRANSFER_BYTES) {
    transfer.add(buffer);
  }
}

/** The tensor of a received message; it owns its buffer. */
export function fromPortTensor([datatype, shape, data]: PortTensor): Tensor {
  return 'ends' in data
    ? assembleTensor('BYTES', shape, unpackElements(data))
    : assembleTensor(datatype, shape, data);
}

/** The data over a buffer that nothing else is in. */
function ownData(
  data: TensorData<NumericDatatype>,
  transfer: ReadonlySet<ArrayBuffer>,
): TensorData<NumericDatatype> {
  const { buffer, byteLength } = data;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !transfer.has(buffer)) {
    return data;
  }
  // The slice of a Buffer, which is a Uint8Array, is a view.
  return data instanceof Uint8Array ? new Uint8Array(data) : data.slice();
}
