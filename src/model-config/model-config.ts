import type { Datatype } from '../tensor/datatype.ts';
import type { Dims } from '../tensor/shape.ts';
import type { ModelConfigMessage } from './generated/model-config-message.ts';

/**
 * A model's configuration as the engine uses it: resolved, complete, checked. It is made from config.pbtxt and the
 * model file by `resolveModelConfig`. The raw message stays beside it, so that nothing of the file is lost.
 */
export interface ModelConfig {
  readonly name: string;
  /** `onnxruntime` for now; `platform: "onnxruntime_onnx"` is its older name. */
  readonly backend: string;
  /** 0: no batching, `dims` are full shapes. Above 0: every tensor has a batch dimension before its `dims`. */
  readonly maxBatchSize: number;
  readonly versionPolicy: VersionPolicy;
  readonly inputs: readonly InputSpec[];
  readonly outputs: readonly OutputSpec[];
  /** Undefined: each request runs alone, in the order of arrival. With maxBatchSize 0 it is a queue that merges nothing. */
  readonly dynamicBatching: DynamicBatching | undefined;
  readonly instanceGroups: readonly InstanceGroup[];
  readonly optimization: Optimization;
  /** `parameters { key value { string_value } }`, by key. */
  readonly parameters: ReadonlyMap<string, string>;
  /** File inside the version folder; `model.onnx` unless the config names another. */
  readonly modelFilename: string;
  /** Everything the file said and auto-complete added, as the protobuf message. */
  readonly message: ModelConfigMessage;
}

export interface InputSpec {
  readonly name: string;
  readonly datatype: Datatype;
  /** Shape that a client sends, without the batch dimension; -1 is any size. */
  readonly dims: Dims;
  /** Shape that the model sees instead of `dims`, without the batch dimension. */
  readonly reshape: Dims | undefined;
  readonly optional: boolean;
  readonly allowRaggedBatch: boolean;
}

export interface OutputSpec {
  readonly name: string;
  readonly datatype: Datatype;
  /** Shape that a client receives, without the batch dimension; -1 is any size. */
  readonly dims: Dims;
  /** Shape that the model gives instead of `dims`, without the batch dimension. */
  readonly reshape: Dims | undefined;
  /** Labels of the classes by index; empty when there is no label file. */
  readonly labels: readonly string[];
}

export type VersionPolicy =
  | { readonly kind: 'latest'; readonly count: number }
  | { readonly kind: 'all' }
  | { readonly kind: 'specific'; readonly versions: readonly bigint[] };

export interface DynamicBatching {
  /** Sizes in rows, rising; a batch of one of them runs at once. Empty: no preference. */
  readonly preferredBatchSizes: readonly number[];
  readonly maxQueueDelayMicroseconds: number;
  readonly preserveOrdering: boolean;
  /** 0: no priorities. Else requests carry 1 (first) to this number. */
  readonly priorityLevels: number;
  readonly defaultPriorityLevel: number;
  readonly defaultQueuePolicy: QueuePolicy;
  readonly priorityQueuePolicies: ReadonlyMap<number, QueuePolicy>;
}

export interface QueuePolicy {
  readonly timeoutAction: 'REJECT' | 'DELAY';
  /** 0: a request waits as long as it takes. */
  readonly defaultTimeoutMicroseconds: number;
  /** A request's own timeout may shorten the default one. */
  readonly allowTimeoutOverride: boolean;
  /** 0: unlimited. Counts requests, as Triton does. */
  readonly maxQueueSize: number;
}

export interface InstanceGroup {
  readonly name: string;
  readonly kind: 'KIND_AUTO' | 'KIND_CPU' | 'KIND_GPU' | 'KIND_MODEL';
  /** 0: as many as the cores allow, decided when the model is loaded. */
  readonly count: number;
  readonly gpus: readonly number[];
}

export interface Optimization {
  /** Triton's `optimization.graph.level`: -1 basic, 0 default, 1 extended, 2 all. Undefined: the runtime's default. */
  readonly graphLevel: number | undefined;
  readonly gpuExecutionAccelerators: readonly ExecutionAccelerator[];
  readonly cpuExecutionAccelerators: readonly ExecutionAccelerator[];
}

export interface ExecutionAccelerator {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** What a model file says of one tensor. */
export interface SignatureTensor {
  readonly name: string;
  readonly datatype: Datatype;
  /** Full shape, the batch dimension included; -1 is any size. Undefined: not even the number of dimensions is given. */
  readonly shape: Dims | undefined;
}

/** Inputs and outputs as a model file declares them, in its own order. */
export interface ModelSignature {
  readonly inputs: readonly SignatureTensor[];
  readonly outputs: readonly SignatureTensor[];
  /** Outputs that are a sequence, map or optional: they exist, but cannot be asked for. */
  readonly nonTensorOutputs: readonly string[];
}
