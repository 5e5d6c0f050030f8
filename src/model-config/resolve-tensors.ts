import { MillraceError } from '../base/errors.ts';
import { type Dims, elementCount, formatShape } from '../tensor/shape.ts';
import { datatypeFromDataType } from './data-type.ts';
import type { ModelInput, ModelOutput } from './generated/model-config-message.ts';
import { parseLabels } from './labels.ts';
import type { InputSpec, OutputSpec } from './model-config.ts';

/** @throws {MillraceError} CONFIG_INVALID naming the field. */
export function resolveInputs(messages: readonly ModelInput[], modelName: string): readonly InputSpec[] {
  return messages.map((message, index) => ({
    ...resolveTensor(message, messages, `input[${index}]`, modelName),
    optional: message.optional ?? false,
    allowRaggedBatch: message.allow_ragged_batch ?? false,
  }));
}

/** @throws {MillraceError} CONFIG_INVALID naming the field. */
export function resolveOutputs(
  messages: readonly ModelOutput[],
  modelName: string,
  labelFiles: ReadonlyMap<string, string | undefined>,
): readonly OutputSpec[] {
  return messages.map((message, index) => ({
    ...resolveTensor(message, messages, `output[${index}]`, modelName),
    labels: resolveLabels(message, `output[${index}]`, modelName, labelFiles),
  }));
}

type TensorSpec = Pick<InputSpec, 'name' | 'datatype' | 'dims' | 'reshape'>;

function resolveTensor(
  message: ModelInput | ModelOutput,
  all: readonly (ModelInput | ModelOutput)[],
  where: string,
  modelName: string,
): TensorSpec {
  const name = message.name ?? '';
  const fail = (problem: string): MillraceError =>
    new MillraceError('CONFIG_INVALID', `config of model '${modelName}': ${where} ('${name}') ${problem}`, {
      details: { model: modelName, tensor: name },
    });
  if (name === '') {
    throw fail('has no name');
  }
  if (all.filter((other) => other.name === name).length > 1) {
    throw fail('is there twice: each name may stand once');
  }
  const datatype = datatypeFromDataType(message.data_type);
  if (datatype === undefined) {
    throw fail(`has no valid data_type, got ${message.data_type ?? 'none'}`);
  }
  const dims = (message.dims ?? []).map(Number);
  if (dims.length === 0) {
    throw fail('has no dims: a scalar is written as dims: [1] reshape { shape: [] }');
  }
  if (dims.some((dim) => dim < 1 && dim !== -1)) {
    throw fail(`has dims ${formatShape(dims)}: each must be at least 1, or -1 for any size`);
  }
  const reshape = message.reshape === undefined ? undefined : (message.reshape.shape ?? []).map(Number);
  if (reshape !== undefined) {
    const problem = checkReshape(dims, reshape);
    if (problem !== undefined) {
      throw fail(problem);
    }
  }
  return { name, datatype, dims, reshape };
}

/**
 * Triton's rule: the fixed sizes must hold the same number of elements, and the -1 of both must stand between fixed
 * parts that hold the same number of elements, so that each can be carried over.
 * @see https://github.com/triton-inference-server/core/blob/main/src/model_config_utils.cc (ValidateIOShape)
 */
function checkReshape(dims: Dims, reshape: Dims): string | undefined {
  const both = `dims ${formatShape(dims)} and reshape ${formatShape(reshape)}`;
  if (reshape.some((dim) => dim < 1 && dim !== -1)) {
    return `has ${both}: each size of reshape must be at least 1, or -1`;
  }
  const parts = fixedParts(dims);
  const reshapedParts = fixedParts(reshape);
  if (parts.length !== reshapedParts.length) {
    return `has ${both}: they must have the same number of -1`;
  }
  const differs = parts.findIndex((part, index) => part !== reshapedParts[index]);
  return differs === -1
    ? undefined
    : `has ${both}: they hold ${parts[differs]} and ${reshapedParts[differs]} elements${parts.length > 1 ? ' between their -1' : ''}`;
}

/** Numbers of elements before, between and after the -1 of dims. */
function fixedParts(dims: Dims): readonly number[] {
  const parts: number[][] = [[]];
  for (const dim of dims) {
    if (dim === -1) {
      parts.push([]);
    } else {
      parts.at(-1)?.push(dim);
    }
  }
  return parts.map(elementCount);
}

function resolveLabels(
  { label_filename: file, name }: ModelOutput,
  where: string,
  modelName: string,
  labelFiles: ReadonlyMap<string, string | undefined>,
): readonly string[] {
  if (file === undefined) {
    return [];
  }
  const text = labelFiles.get(file);
  if (text === undefined) {
    throw new MillraceError(
      'CONFIG_INVALID',
      `config of model '${modelName}': ${where} ('${name}') has label_filename '${file}', but there is no such file in ` +
        "the model's folder",
      { details: { model: modelName, file } },
    );
  }
  return parseLabels(text);
}
