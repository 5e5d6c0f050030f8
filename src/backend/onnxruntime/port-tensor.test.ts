import { describe, expect, it } from 'vitest';
import { createTensor } from '../../tensor/create-tensor.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import { TRANSFER_BYTES } from './messages.ts';
import { fromPortTensor, toPortTensor } from './port-tensor.ts';

/** Sends the tensor through a real structured clone; gives what arrives and the buffers that were given away. */
function send(tensor: Tensor, transfer = new Set<ArrayBuffer>()): { arrived: Tensor; given: number } {
  const message = toPortTensor(tensor, transfer);
  const given = transfer.size;
  return { arrived: fromPortTensor(structuredClone(message, { transfer: [...transfer] })), given };
}

const bytes = (data: Uint8Array<ArrayBuffer>): Tensor => createTensor('UINT8', [data.length], data);

describe('toPortTensor', () => {
  it('gives a large buffer away, and copies a small one', () => {
    const large = new Uint8Array(TRANSFER_BYTES).fill(7);
    const small = new Uint8Array(TRANSFER_BYTES - 1).fill(7);
    expect(send(bytes(large)).given).toBe(1);
    expect(large.buffer.byteLength).toBe(0);
    expect(send(bytes(small)).given).toBe(0);
    expect(small.buffer.byteLength).toBe(TRANSFER_BYTES - 1);
  });

  it.each([
    [
      'a view into a larger buffer',
      new Uint8Array(2 * TRANSFER_BYTES).fill(7).subarray(1, TRANSFER_BYTES + 1),
    ],
    ['a Buffer that is a view', Buffer.alloc(2 * TRANSFER_BYTES, 7).subarray(1, TRANSFER_BYTES + 1)],
  ])('copies %s, whose buffer stays whole', (_what, view) => {
    const before = view.buffer.byteLength;
    const { arrived } = send(bytes(view));
    expect(arrived.data).toEqual(new Uint8Array(TRANSFER_BYTES).fill(7));
    expect(view.buffer.byteLength).toBe(before);
  });

  it('copies a buffer that another input of the batch has given away already', () => {
    const data = new Float32Array(TRANSFER_BYTES).fill(1);
    const transfer = new Set<ArrayBuffer>();
    const first = toPortTensor(createTensor('FP32', [data.length], data), transfer);
    const second = toPortTensor(createTensor('FP32', [1, data.length], data), transfer);
    const arrived = structuredClone([first, second], { transfer: [...transfer] }).map(fromPortTensor);
    expect(arrived.map(({ data: values }) => values[TRANSFER_BYTES - 1])).toEqual([1, 1]);
  });

  it('packs BYTES, whose elements arrive as they were', () => {
    const whole = Buffer.from('aabbcc');
    const tensor = createTensor(
      'BYTES',
      [2, 2],
      [whole.subarray(0, 2), whole.subarray(2, 3), whole, Buffer.alloc(0)],
    );
    const { arrived } = send(tensor);
    expect(arrived.shape).toEqual([2, 2]);
    expect(
      arrived.datatype === 'BYTES' && arrived.data.map((element) => Buffer.from(element).toString()),
    ).toEqual(['aa', 'b', 'aabbcc', '']);
  });
});
