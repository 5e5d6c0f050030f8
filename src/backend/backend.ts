import type { InstanceGroup, ModelConfig, ModelSignature } from '../model-config/model-config.ts';
import type { Tensor } from '../tensor/tensor.ts';

/** What a backend can say of a model file without running it. */
export interface ModelInspection {
  readonly signature: ModelSignature;
  /** What a user should know though the model loads: nodes in training mode, random nodes, non-tensor outputs. */
  readonly warnings: readonly string[];
  /** Nodes whose result differs from run to run; empty: the same input gives the same output. */
  readonly nondeterministicNodes: readonly string[];
  /** Every file the model is made of (external data included), absolute paths, for fingerprint and reload. */
  readonly files: readonly string[];
}

/** One batch, ready to run. */
export interface BatchInputs {
  /** In the order of the config's inputs, in the shape that the model sees; undefined: an optional input left out. */
  readonly inputs: readonly (Tensor | undefined)[];
  /** Names of the outputs to compute, in the order in which they come back. */
  readonly outputNames: readonly string[];
  /** True: the buffers of `inputs` are given away and unusable afterwards. False: they are read before `execute` returns. */
  readonly owned: boolean;
}

export interface BatchOutputs {
  /** One for each of `outputNames`. */
  readonly outputs: readonly Tensor[];
  /** Time inside the runtime alone. */
  readonly computeMicroseconds: number;
}

/** One loaded copy of a model. It runs what it is given in order, and knows nothing of requests. */
export interface ModelInstance {
  /** `digits_0_1`: model, group and number, for logs and errors. */
  readonly name: string;
  /** Where it really computes, read back from the runtime: `cpu`, `cuda:0`. */
  readonly device: string;
  /**
   * Batches that may be in flight at once, so that the next one is there when one ends.
   * More than that may be sent; they wait inside.
   */
  readonly maxInFlight: number;
  /**
   * Runs one batch.
   * @throws {MillraceError} EXECUTION_FAILED when the runtime refuses the batch, INSTANCE_FAILED when the instance
   *   died, with the batch or before.
   */
  execute(batch: BatchInputs): Promise<BatchOutputs>;
  /** Resolves with the cause when the instance dies by itself; never after `close()` was called. */
  readonly failed: Promise<Error>;
  /** Waits for what is running, then frees the model. Idempotent. */
  close(): Promise<void>;
}

/** All a backend needs to make one instance. */
export interface InstanceSpec {
  readonly name: string;
  readonly config: ModelConfig;
  /** Absolute path of the model file. */
  readonly modelPath: string;
  readonly group: InstanceGroup;
  /** GPU to run on; undefined: the CPU. */
  readonly gpu: number | undefined;
  /** Threads inside one operator. `planInstances` has the config's `intra_op_thread_count` in it already. */
  readonly intraOpThreads: number;
}

/** A way to run a kind of model file. */
export interface Backend {
  /** As in config.pbtxt: `onnxruntime`. */
  readonly name: string;
  /** Other names that config.pbtxt may use for it in `platform`: `onnxruntime_onnx`. */
  readonly platforms: readonly string[];
  /** File looked for in a version folder when the config names none. */
  readonly defaultModelFilename: string;
  /**
   * Reads what the file declares.
   * @throws {MillraceError} MODEL_FILE_INVALID, MODEL_UNSUPPORTED.
   */
  inspectModel(modelPath: string): Promise<ModelInspection>;
  /**
   * @throws {MillraceError} MODEL_FILE_INVALID, MODEL_UNSUPPORTED, MODEL_LOAD_FAILED, PROVIDER_UNAVAILABLE,
   *   CONFIG_INVALID or CONFIG_UNSUPPORTED for a parameter or accelerator that the backend cannot use.
   */
  createInstance(spec: InstanceSpec): Promise<ModelInstance>;
}
