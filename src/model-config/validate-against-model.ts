/**
 * Holds a config against the model file, so that nothing that can be known at load fails in the runtime later.
 * The rule for sizes: a config narrower than the model is accepted and enforced on requests and replies; one that is
 * wider, or contradicts the model, is refused.
 */
import { MillraceError } from '../base/errors.ts';
import { nearestNames, quoteNames } from '../base/nearest-names.ts';
import { type Dims, formatShape } from '../tensor/shape.ts';
import type { InputSpec, ModelConfig, ModelSignature, OutputSpec, SignatureTensor } from './model-config.ts';

/** @throws {MillraceError} CONFIG_MODEL_MISMATCH naming the tensor, OUTPUT_NOT_TENSOR. */
export function validateAgainstModel(config: ModelConfig, signature: ModelSignature): void {
  for (const input of config.inputs) {
    checkTensor(config, 'input', input, findTensor(config, 'input', input.name, signature.inputs));
  }
  for (const { name } of signature.inputs) {
    if (!config.inputs.some((input) => input.name === name)) {
      throw mismatch(config, `the model has an input '${name}' that the config does not name: add it`, name);
    }
  }
  for (const output of config.outputs) {
    if (signature.nonTensorOutputs.includes(output.name)) {
      throw new MillraceError(
        'OUTPUT_NOT_TENSOR',
        `config of model '${config.name}' names output '${output.name}', which is a sequence or a map in the model: export ` +
          'the model without it (skl2onnx: options={"zipmap": False}), or leave it out of the config',
        { details: { model: config.name, output: output.name } },
      );
    }
    checkTensor(config, 'output', output, findTensor(config, 'output', output.name, signature.outputs));
  }
  if (config.outputs.length === 0) {
    throw new MillraceError(
      'OUTPUT_NOT_TENSOR',
      `model '${config.name}' has no tensor output; its outputs ${quoteNames(signature.nonTensorOutputs)} are sequences or maps`,
      { details: { model: config.name } },
    );
  }
}

type Direction = 'input' | 'output';

function findTensor(
  config: ModelConfig,
  direction: Direction,
  name: string,
  declared: readonly SignatureTensor[],
): SignatureTensor {
  const found = declared.find((tensor) => tensor.name === name);
  if (found === undefined) {
    const names = declared.map((tensor) => tensor.name);
    const nearest = nearestNames(name, names);
    const hint = nearest.length > 0 ? `did you mean ${quoteNames(nearest)}?` : `it has ${quoteNames(names)}`;
    throw mismatch(config, `the model has no ${direction} '${name}': ${hint}`, name);
  }
  return found;
}

function checkTensor(
  config: ModelConfig,
  direction: Direction,
  spec: InputSpec | OutputSpec,
  declared: SignatureTensor,
): void {
  if (spec.datatype !== declared.datatype) {
    throw mismatch(
      config,
      `${direction} '${spec.name}' is ${spec.datatype} in the config, but ${declared.datatype} in the model`,
      spec.name,
    );
  }
  const batched = config.maxBatchSize > 0;
  const rowDims = spec.reshape ?? spec.dims;
  const fullDims = batched ? [-1, ...rowDims] : rowDims;
  const shapes =
    `${direction} '${spec.name}' has the shape ${formatShape(fullDims)} by the config` +
    `${batched ? ` (max_batch_size ${config.maxBatchSize} adds the first dimension)` : ''}, but ` +
    `${formatShape(declared.shape)} in the model`;
  if (fullDims.length !== declared.shape.length) {
    throw mismatch(
      config,
      `${shapes}: ${fullDims.length} dimensions against ${declared.shape.length}`,
      spec.name,
    );
  }
  if (batched && declared.shape[0] !== -1) {
    throw mismatch(
      config,
      `${shapes}: its first dimension is fixed at ${declared.shape[0]}, so that rows cannot be batched. Set ` +
        'max_batch_size: 0, or export the model with a dynamic batch dimension',
      spec.name,
    );
  }
  const index = firstWider(fullDims, declared.shape);
  if (index !== -1) {
    const dim = fullDims[index];
    const problem =
      dim === -1
        ? `dimension ${index} is -1 (any size) by the config, but ${declared.shape[index]} in the model, which takes nothing else`
        : `dimension ${index} is ${dim} by the config, but ${declared.shape[index]} in the model`;
    throw mismatch(config, `${shapes}: ${problem}`, spec.name);
  }
}

/** Index of the first dimension for which the config allows a size that the model does not; -1 when there is none. */
function firstWider(config: Dims, model: Dims): number {
  return config.findIndex((dim, index) => model[index] !== -1 && dim !== model[index]);
}

function mismatch(config: ModelConfig, problem: string, tensor: string): MillraceError {
  return new MillraceError('CONFIG_MODEL_MISMATCH', `config of model '${config.name}': ${problem}`, {
    details: { model: config.name, tensor },
  });
}
