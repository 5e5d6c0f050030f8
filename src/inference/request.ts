import type { NamedTensors, Tensor } from '../tensor/tensor.ts';

/** What a caller asks of a model. Tensors are read only: the engine copies before it gives anything away. */
export interface InferenceRequest {
  readonly modelName: string;
  /** Undefined: the highest version that is ready. */
  readonly modelVersion?: bigint;
  /** Echoed in the response. */
  readonly id?: string;
  readonly inputs: NamedTensors;
  /** Undefined or empty: every tensor output of the model. */
  readonly requestedOutputs?: readonly RequestedOutput[];
  /** 1 is highest; undefined or 0: the model's default level. */
  readonly priority?: number;
  /** Longest time in the queue; undefined or 0: the model's default. */
  readonly timeoutMicroseconds?: number;
  /**
   * True: executed as it is, never merged with other requests, so that its result depends on nothing but itself.
   * Batch jobs ask for it: a result then is the same bytes at any load.
   */
  readonly exclusive?: boolean;
}

/** One output a caller wants. */
export interface RequestedOutput {
  readonly name: string;
  /**
   * Above 0: instead of the tensor, its highest values as text, `value:index[:label]`, at most this many a row.
   * @see https://github.com/triton-inference-server/server/blob/main/docs/protocol/extension_classification.md
   */
  readonly classificationCount?: number;
}

/** A request that fits its model: everything after validation works on this. */
export interface ValidatedRequest {
  readonly request: InferenceRequest;
  /** Inputs in the order of the model's config, in the shape that the model sees; undefined: an optional one left out. */
  readonly inputs: readonly (Tensor | undefined)[];
  /** Size of the leading dimension; 1 for a model without batching. */
  readonly rows: number;
  /** Names of the outputs to give back, in the order asked for, never empty. */
  readonly outputNames: readonly string[];
  /** 1 is first; 0 where the model has no priorities. */
  readonly priority: number;
}
