import type { NamedTensors } from '../tensor/tensor.ts';
import type { InferenceTimings } from './timings.ts';

/** What a model answered. The tensors may share buffers with those of other responses: read only. */
export interface InferenceResponse {
  readonly modelName: string;
  readonly modelVersion: bigint;
  readonly id?: string;
  /** Exactly the outputs asked for, in that order. */
  readonly outputs: NamedTensors;
  readonly timings: InferenceTimings;
}
