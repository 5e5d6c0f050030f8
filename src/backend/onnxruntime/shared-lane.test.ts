import { describe, expect, it } from 'vitest';
import { createTensor } from '../../tensor/create-tensor.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import { LANE_BYTES, SharedLane } from './shared-lane.ts';

const TENSORS: readonly Tensor[] = [
  createTensor('BOOL', [3], Uint8Array.of(1, 0, 1)),
  createTensor('INT8', [1, 1], Int8Array.of(-128)),
  createTensor('UINT16', [2], Uint16Array.of(0, 65535)),
  createTensor('FP16', [1], Uint16Array.of(0x7c00)),
  createTensor('INT64', [2], BigInt64Array.of(-(2n ** 63n), 2n ** 63n - 1n)),
  createTensor('UINT64', [], BigUint64Array.of(2n ** 64n - 1n)),
  createTensor('FP32', [2, 0], new Float32Array(0)),
  createTensor('FP32', [1, 2, 1], Float32Array.of(-0, Number.NaN)),
  createTensor('FP64', [1], Float64Array.of(Number.NEGATIVE_INFINITY)),
];

/** Two ends of one lane, as the threads have them. */
function openLane(): [SharedLane, SharedLane] {
  const memory = new SharedArrayBuffer(LANE_BYTES);
  return [new SharedLane(memory), new SharedLane(memory)];
}

describe('a lane', () => {
  it('gives the other end what was written, bit for bit, with places for what was left out', () => {
    const [near, far] = openLane();
    near.outputSet = 7;
    expect(near.write([...TENSORS, undefined])).toBe(true);
    near.computeMicroseconds = 12.5;
    expect(far.read()).toEqual([...TENSORS, undefined]);
    expect([far.outputSet, far.computeMicroseconds]).toEqual([7, 12.5]);
  });

  it('holds only the last batch, and what was read of the one before stays as it was', () => {
    const [near, far] = openLane();
    near.write([createTensor('FP32', [2], Float32Array.of(1, 2))]);
    const [before] = far.read();
    far.write([createTensor('FP32', [1], Float32Array.of(9))]);
    expect(before?.data).toEqual(Float32Array.of(1, 2));
    expect(near.read()).toEqual([createTensor('FP32', [1], Float32Array.of(9))]);
  });

  it('takes the part of a buffer that a view shows', () => {
    const [near, far] = openLane();
    near.write([createTensor('FP32', [2], Float32Array.of(1, 2, 3, 4).subarray(1, 3))]);
    expect(far.read()[0]?.data).toEqual(Float32Array.of(2, 3));
  });

  it.each([
    ['BYTES', [createTensor('BYTES', [1], [Buffer.from('text')])]],
    ['more than its memory', [createTensor('UINT8', [LANE_BYTES], new Uint8Array(LANE_BYTES))]],
    ['more tensors than its header names', Array.from({ length: 20 }, () => TENSORS[0])],
  ])('refuses %s', (_, tensors) => {
    const [near] = openLane();
    expect(near.write(tensors)).toBe(false);
  });

  it('takes as much as its memory holds', () => {
    const [near, far] = openLane();
    const largest = createTensor('UINT8', [LANE_BYTES - 256], new Uint8Array(LANE_BYTES - 256).fill(5));
    expect(near.write([largest])).toBe(true);
    expect(far.read()).toEqual([largest]);
  });
});
