import { assembleTensor } from '../../tensor/create-tensor.ts';
import type { Tensor, TensorData } from '../../tensor/tensor.ts';
import type { NumericDatatype, PortTensor } from './messages.ts';
import { packElements, unpackElements } from './packed-bytes.ts';

/**
 * A tensor as a message carries it. Its buffer is added to `transfer` when the tensor fills the whole of it; of a
 * view into a larger or shared buffer a copy is sent, since others may still read the rest.
 */
export function toPortTensor(tensor: Tensor, transfer: ArrayBuffer[]): PortTensor {
  if (tensor.datatype === 'BYTES') {
    const packed = packElements(tensor.data);
    transfer.push(packed.bytes.buffer, packed.ends.buffer);
    return ['BYTES', tensor.shape, packed];
  }
  const data = ownData(tensor.data, transfer);
  transfer.push(data.buffer);
  return [tensor.datatype, tensor.shape, data];
}

/** The tensor of a received message; it owns its buffer. */
export function fromPortTensor([datatype, shape, data]: PortTensor): Tensor {
  return 'ends' in data
    ? assembleTensor('BYTES', shape, unpackElements(data))
    : assembleTensor(datatype, shape, data);
}

function ownData(
  data: TensorData<NumericDatatype>,
  transfer: readonly ArrayBuffer[],
): TensorData<NumericDatatype> {
  const { buffer } = data;
  const owned =
    buffer instanceof ArrayBuffer && buffer.byteLength === data.byteLength && !transfer.includes(buffer);
  if (owned) {
    return data;
  }
  // The slice of a Buffer is a view; that of a plain Uint8Array is a copy.
  return data instanceof Uint8Array ? Uint8Array.prototype.slice.call(data) : data.slice();
}
