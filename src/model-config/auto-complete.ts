import { dataTypeFromDatatype } from './data-type.ts';
import { type Direction, findDeclaredTensor } from './declared-tensor.ts';
import type { ModelConfigMessage, ModelInput, ModelOutput } from './generated/model-config-message.ts';
import type { ModelSignature, SignatureTensor } from './model-config.ts';

/** What auto-complete takes where neither the config nor the model says it. */
export interface AutoCompleteDefaults {
  readonly modelName: string;
  readonly backend: string;
  /** max_batch_size of a model that can batch and whose config does not give one; Triton's own default is 4. */
  readonly maxBatchSize: number;
}

/**
 * Fills in what config.pbtxt leaves out from the model file, by Triton's rules for ONNX: what is there stays, and a
 * config that describes its inputs and outputs is taken as it is. Beyond Triton, tensors may be given by their name alone.
 * @throws {MillraceError} CONFIG_MODEL_MISMATCH, OUTPUT_NOT_TENSOR for a name that is no tensor of the model.
 * @see https://github.com/triton-inference-server/onnxruntime_backend/blob/main/src/onnxruntime.cc (AutoCompleteConfig)
 */
export function autoCompleteConfig(
  message: ModelConfigMessage | undefined,
  signature: ModelSignature,
  defaults: AutoCompleteDefaults,
): ModelConfigMessage {
  const given = message ?? {};
  const describesTensors = describesAll(given.input) && describesAll(given.output);
  const fillsBatching = !describesTensors && canBatch(signature);
  const maxBatchSize = given.max_batch_size ?? (fillsBatching ? Math.max(0, defaults.maxBatchSize) : 0);
  const batches = maxBatchSize > 0;
  const model = { modelName: defaults.modelName, signature, batches };
  const input = completeTensors('input', given.input, model);
  const output = completeTensors('output', given.output, model);
  return {
    ...given,
    name: given.name ?? defaults.modelName,
    ...(given.backend === undefined && given.platform === undefined && { backend: defaults.backend }),
    ...(batches && { max_batch_size: maxBatchSize }),
    ...(fillsBatching && maxBatchSize > 1 && !hasScheduler(given) && { dynamic_batching: {} }),
    ...(input.length > 0 && { input }),
    ...(output.length > 0 && { output }),
  };
}

function describesAll(tensors: readonly (ModelInput | ModelOutput)[] | undefined): boolean {
  return tensors?.every(({ dims }) => dims !== undefined) ?? false;
}

function canBatch({ inputs, outputs }: ModelSignature): boolean {
  return inputs.length > 0 && [...inputs, ...outputs].every(({ shape }) => shape?.[0] === -1);
}

function hasScheduler(message: ModelConfigMessage): boolean {
  return (
    message.dynamic_batching !== undefined ||
    message.sequence_batching !== undefined ||
    message.ensemble_scheduling !== undefined
  );
}

function completeTensors<T extends ModelInput | ModelOutput>(
  direction: Direction,
  given: readonly T[] | undefined,
  model: { readonly modelName: string; readonly signature: ModelSignature; readonly batches: boolean },
): readonly (T | ModelInput)[] {
  const { modelName, signature, batches } = model;
  if (given === undefined) {
    const declared = direction === 'input' ? signature.inputs : signature.outputs;
    return declared.map((tensor) => describeTensor(tensor, batches));
  }
  return given.map((tensor) =>
    tensor.name === undefined
      ? tensor
      : completeTensor(tensor, findDeclaredTensor(modelName, direction, tensor.name, signature), batches),
  );
}

function completeTensor<T extends ModelInput | ModelOutput>(
  given: T,
  declared: SignatureTensor,
  batches: boolean,
): T {
  const described = describeTensor(declared, batches);
  if (given.dims === undefined) {
    return { ...described, ...given };
  }
  // As in Triton, `dims: [1]` is enough to describe a scalar; here the reshape that this implies is written out.
  const isScalar = declared.shape?.length === 0 && given.dims.every((dim) => dim === 1n);
  return { data_type: described.data_type, ...(isScalar && { reshape: {} }), ...given };
}

function describeTensor({ name, datatype, shape }: SignatureTensor, batches: boolean) {
  const described = { name, data_type: dataTypeFromDatatype(datatype) };
  if (shape === undefined) {
    return described;
  }
  const dims = (batches ? shape.slice(1) : shape).map(BigInt);
  // Triton wants at least one dimension: a scalar is one element that the model sees without a dimension.
  return dims.length === 0 ? { ...described, dims: [1n], reshape: {} } : { ...described, dims };
}
