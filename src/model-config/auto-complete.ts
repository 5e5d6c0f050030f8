import { dataTypeFromDatatype } from './data-type.ts';
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
 * Fills in what config.pbtxt leaves out from the model file, by Triton's rules for ONNX: what is there stays; the
 * backend; max_batch_size and dynamic batching where the config has no tensors of its own and the model can batch;
 * tensors, or their missing datatype and dims.
 * @see https://github.com/triton-inference-server/onnxruntime_backend/blob/main/src/onnxruntime.cc (AutoCompleteConfig)
 */
export function autoCompleteConfig(
  message: ModelConfigMessage | undefined,
  signature: ModelSignature,
  defaults: AutoCompleteDefaults,
): ModelConfigMessage {
  const given = message ?? {};
  const maxBatchSize = chooseMaxBatchSize(given, signature, defaults);
  const batches = maxBatchSize > 0;
  const hasScheduler =
    given.dynamic_batching !== undefined ||
    given.sequence_batching !== undefined ||
    given.ensemble_scheduling !== undefined;
  const input = completeTensors(given.input ?? [], signature.inputs, batches);
  const output = completeTensors(given.output ?? [], signature.outputs, batches);
  return {
    ...given,
    name: given.name ?? defaults.modelName,
    ...(given.backend === undefined && given.platform === undefined && { backend: defaults.backend }),
    ...(batches && { max_batch_size: maxBatchSize }),
    ...(maxBatchSize > 1 && given.max_batch_size === undefined && !hasScheduler && { dynamic_batching: {} }),
    ...(input.length > 0 && { input }),
    ...(output.length > 0 && { output }),
  };
}

/**
 * A config that names its tensors and no max_batch_size means 0, since its dims are then full shapes; proto3 cannot tell
 * a 0 from nothing.
 */
function chooseMaxBatchSize(
  given: ModelConfigMessage,
  signature: ModelSignature,
  defaults: AutoCompleteDefaults,
): number {
  if (given.max_batch_size !== undefined) {
    return given.max_batch_size;
  }
  const namesDims = [...(given.input ?? []), ...(given.output ?? [])].some(({ dims }) => dims !== undefined);
  return !namesDims && canBatch(signature) ? defaults.maxBatchSize : 0;
}

function canBatch({ inputs, outputs }: ModelSignature): boolean {
  return inputs.length > 0 && [...inputs, ...outputs].every(({ shape }) => shape[0] === -1);
}

function completeTensors<T extends ModelInput | ModelOutput>(
  given: readonly T[],
  declared: readonly SignatureTensor[],
  batches: boolean,
): readonly (T | ModelInput)[] {
  if (given.length === 0) {
    return declared.map((tensor) => describeTensor(tensor, batches));
  }
  return given.map((tensor) => {
    const known = declared.find(({ name }) => name === tensor.name);
    return known === undefined ? tensor : { ...describeTensor(known, batches), ...tensor };
  });
}

function describeTensor({ name, datatype, shape }: SignatureTensor, batches: boolean): ModelInput {
  const dims = (batches ? shape.slice(1) : shape).map(BigInt);
  const common = { name, data_type: dataTypeFromDatatype(datatype) };
  // Triton wants at least one dimension: a scalar is one element that the model sees without a dimension.
  return dims.length === 0 ? { ...common, dims: [1n], reshape: {} } : { ...common, dims };
}
