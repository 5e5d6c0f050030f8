import type { InferenceRequest } from '../inference/request.ts';
import type { InferenceResponse } from '../inference/response.ts';
import type { Datatype } from '../tensor/datatype.ts';
import type { Dims } from '../tensor/shape.ts';

/** One input or output as a client sees it. */
export interface TensorMetadata {
  readonly name: string;
  readonly datatype: Datatype;
  /** Shape of one row, without the batch dimension; -1 is any size. */
  readonly dims: Dims;
  readonly optional: boolean;
}

/** What a client can know of a model before it sends the first request. */
export interface ModelMetadata {
  readonly name: string;
  readonly version: bigint;
  /** SHA-256 over the model's files, lower-case hex; undefined where a server does not tell. */
  readonly sha256: string | undefined;
  /** 0: the model takes one row at a time, in exactly `dims`. */
  readonly maxBatchSize: number;
  readonly inputs: readonly TensorMetadata[];
  readonly outputs: readonly TensorMetadata[];
  /** Nodes whose result differs from run to run; empty where there are none or the server does not tell. */
  readonly nondeterministicNodes: readonly string[];
}

/** Sends requests to a model, wherever it runs. */
export interface InferClient {
  /**
   * @param version undefined: the highest that is ready.
   * @throws {MillraceError} MODEL_NOT_FOUND, MODEL_VERSION_NOT_FOUND, MODEL_NOT_READY.
   */
  modelMetadata(name: string, version?: bigint): Promise<ModelMetadata>;
  /**
   * @throws {MillraceError} with `transient` set where a second try may succeed.
   */
  infer(request: InferenceRequest, signal?: AbortSignal): Promise<InferenceResponse>;
  /** Executions so far and the rows in them, for the mean batch size; undefined where a server does not tell. */
  executionStatistics(modelName: string): { readonly executions: number; readonly rows: number } | undefined;
  close(): Promise<void>;
}
