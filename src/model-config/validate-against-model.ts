/**
 * Holds a config against the model file, so that nothing that can be known at load fails in the runtime later.
 * The rule for sizes: a config narrower than the model is accepted and enforced on requests and replies; one that is
 * wider, or contradicts the model, is refused.
 */
import { MillraceError } from '../base/errors.ts';
import { quoteNames } from '../base/nearest-names.ts';
import { type Dims, formatShape } from '../tensor/shape.ts';
import { createMismatch, type Direction, findDeclaredTensor } from './declared-tensor.ts';
import type { InputSpec, ModelConfig, ModelSignature, OutputSpec, SignatureTensor } from './model-config.ts';

/** @throws {MillraceError} CONFIG_MODEL_MISMATCH naming the tensor, OUTPUT_NOT_TENSOR. */
export function validateAgainstModel(config: ModelConfig, signature: ModelSignature): void {
  checkInputs(config, signature);
  checkOutputs(config, signature);
}

function checkInputs(config: ModelConfig, signature: ModelSignature): void {
  for (const input of config.inputs) {
    checkTensor(config, 'input', input, findDeclaredTensor(config.name, 'input', input.name, signature));
  }
  const given = new Set(config.inputs.map(({ name }) => name));
  const missing = signature.inputs.find(({ name }) => !given.has(name));
  if (missing !== undefined) {
    throw createMismatch(
      config.name,
      `the model has an input '${missing.name}' that the config does not name: add it`,
      missing.name,
    );
  }
}

/** A config may leave outputs out: they are then not computed. */
function checkOutputs(config: ModelConfig, signature: ModelSignature): void {
  for (const output of config.outputs) {
    checkTensor(config, 'output', output, findDeclaredTensor(config.name, 'output', output.name, signature));
  }
  if (config.outputs.length === 0) {
    throw new MillraceError(
      'OUTPUT_NOT_TENSOR',
      `model '${config.name}' has no tensor output; its outputs ${quoteNames(signature.nonTensorOutputs)} are sequences or maps: ` +
        'export it with tensor outputs (skl2onnx: options={"zipmap": False})',
      { details: { model: config.name } },
    );
  }
}

function checkTensor(
  config: ModelConfig,
  direction: Direction,
  spec: InputSpec | OutputSpec,
  declared: SignatureTensor,
): void {
  const problem =
    spec.datatype === declared.datatype
      ? findShapeProblem(spec.reshape ?? spec.dims, declared.shape, config.maxBatchSize)
      : `is ${spec.datatype} in the config, but ${declared.datatype} in the model`;
  if (problem !== undefined) {
    throw createMismatch(config.name, `${direction} '${spec.name}' ${problem}`, spec.name);
  }
}

/**
 * What keeps a tensor of the config's dims from being one of the model's shape; undefined when nothing does.
 * @param dims as the model shall see them, without the batch dimension.
 */
function findShapeProblem(
  dims: Dims,
  modelShape: Dims | undefined,
  maxBatchSize: number,
): string | undefined {
  if (modelShape === undefined) {
    return undefined;
  }
  const batched = maxBatchSize > 0;
  const shape = batched ? [-1, ...dims] : dims;
  const addition = batched ? ` (max_batch_size ${maxBatchSize} adds the first dimension)` : '';
  const shapes = `has the shape ${formatShape(shape)}${addition} by the config, but ${formatShape(modelShape)} in the model`;
  if (batched && modelShape[0] !== -1) {
    const first =
      modelShape.length === 0 ? 'has no dimension' : `has its first dimension fixed at ${modelShape[0]}`;
    return (
      `${shapes}, which ${first}, so that rows cannot be batched: set max_batch_size: 0, or export the model with a ` +
      'dynamic batch dimension'
    );
  }
  if (shape.length !== modelShape.length) {
    return `${shapes}: ${shape.length} dimensions against ${modelShape.length}${hintForRank(dims, modelShape, maxBatchSize)}`;
  }
  const index = shape.findIndex((dim, at) => modelShape[at] !== -1 && dim !== modelShape[at]);
  if (index === -1) {
    return undefined;
  }
  const byConfig = shape[index] === -1 ? '-1 (any size)' : shape[index];
  return `${shapes}: dimension ${index} is ${byConfig} by the config, but always ${modelShape[index]} in the model`;
}

/** The batch dimension is written where it must not be, or left out where it must stand. */
function hintForRank(dims: Dims, modelShape: Dims, maxBatchSize: number): string {
  if (maxBatchSize > 0 && dims.length === modelShape.length) {
    return '. With max_batch_size above 0, dims leave the batch dimension out';
  }
  if (maxBatchSize === 0 && dims.length + 1 === modelShape.length && modelShape[0] === -1) {
    return '. With max_batch_size 0, dims are the full shape: set max_batch_size, or add the first dimension';
  }
  return '';
}
