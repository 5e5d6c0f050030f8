import type { InferenceSession } from 'onnxruntime-node';
import type { Datatype } from '../../tensor/datatype.ts';
import type { Shape } from '../../tensor/shape.ts';
import type { TensorData } from '../../tensor/tensor.ts';
import type { PackedBytes } from './packed-bytes.ts';

/**
 * What an instance and its worker thread say to each other. Replies come in the order of the runs, so none carries an id.
 * A batch of small numeric tensors lies in shared memory, and its message is the number of the lane; any other travels in
 * the message, as tuples whose buffers are transferred when they are large.
 */

/** Buffers from this size on are transferred. Below, to copy one takes less time than to hand it over. */
export const TRANSFER_BYTES = 8192;

/** `workerData`: what the worker makes its session from, at once. */
export interface WorkerStart {
  readonly modelPath: string;
  readonly sessionOptions: InferenceSession.SessionOptions;
  /** Names of the model's inputs; a run message carries their tensors in this order. */
  readonly inputNames: readonly string[];
  /** Memory of the lanes, by number. */
  readonly lanes: readonly SharedArrayBuffer[];
}

/** To the worker. After `close` it takes nothing more, frees the session and ends. */
export type WorkerRequest = LaneNumber | RunMessage | OutputSetMessage | 'close';

/** To the worker: the inputs are in this lane. From it: the outputs are. */
export type LaneNumber = number;

/** Names the outputs that lanes refer to by number; each message has the next number. */
export interface OutputSetMessage {
  readonly outputSet: readonly string[];
}

/** undefined: an optional input left out. */
export type RunMessage = readonly [
  inputs: readonly (PortTensor | undefined)[],
  outputNames: readonly string[],
];

/** From the worker: one start reply, then one run reply for each run message. */
export type WorkerReply = StartReply | RunReply;

export type StartReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly text: string; readonly runtimeVersion: string };

/** A text is the runtime's reason for not running the batch. */
export type RunReply =
  | LaneNumber
  | readonly [computeMicroseconds: number, outputs: readonly PortTensor[]]
  | string;

export type NumericDatatype = Exclude<Datatype, 'BYTES'>;

export type PortTensor =
  | readonly [datatype: NumericDatatype, shape: Shape, data: TensorData<NumericDatatype>]
  | readonly [datatype: 'BYTES', shape: Shape, data: PackedBytes];
