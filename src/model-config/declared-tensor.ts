import { MillraceError } from '../base/errors.ts';
import { nearestNames, quoteNames } from '../base/nearest-names.ts';
import type { ModelSignature, SignatureTensor } from './model-config.ts';

export type Direction = 'input' | 'output';

/**
 * The tensor of the model file that a config names.
 * @throws {MillraceError} CONFIG_MODEL_MISMATCH with the nearest names when there is none, OUTPUT_NOT_TENSOR.
 */
export function findDeclaredTensor(
  modelName: string,
  direction: Direction,
  name: string,
  signature: ModelSignature,
): SignatureTensor {
  const declared = direction === 'input' ? signature.inputs : signature.outputs;
  const found = declared.find((tensor) => tensor.name === name);
  if (found !== undefined) {
    return found;
  }
  if (direction === 'output' && signature.nonTensorOutputs.includes(name)) {
    throw new MillraceError(
      'OUTPUT_NOT_TENSOR',
      `config of model '${modelName}' names output '${name}', which is a sequence or a map in the model: export the model ` +
        'without it (skl2onnx: options={"zipmap": False}), or leave it out of the config',
      { details: { model: modelName, output: name } },
    );
  }
  const names = declared.map((tensor) => tensor.name);
  const nearest = nearestNames(name, names);
  const hint = nearest.length > 0 ? `did you mean ${quoteNames(nearest)}?` : `it has ${quoteNames(names)}`;
  throw createMismatch(modelName, `the model has no ${direction} '${name}': ${hint}`, name);
}

/** CONFIG_MODEL_MISMATCH. */
export function createMismatch(modelName: string, problem: string, tensor: string): MillraceError {
  return new MillraceError('CONFIG_MODEL_MISMATCH', `config of model '${modelName}': ${problem}`, {
    details: { model: modelName, tensor },
  });
}
