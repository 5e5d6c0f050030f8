import { type Dims, formatShape } from '../tensor/shape.ts';
import { createConfigError } from './config-error.ts';
import { datatypeFromDataType } from './data-type.ts';
import type { ModelInput, ModelOutput } from './generated/model-config-message.ts';
import { parseLabels } from './labels.ts';
import type { InputSpec, OutputSpec } from './model-config.ts';

/** @throws {MillraceError} CONFIG_INVALID naming the field. */
export function resolveInputs(messages: readonly ModelInput[], modelName: string): readonly InputSpec[] {
  refuseDuplicates(messages, 'input', modelName);
  return messages.map((message, index) => {
    const tensor = resolveTensor(message, `input[${index}]`, modelName);
    if ((message.format ?? 'FORMAT_NONE') !== 'FORMAT_NONE' && tensor.dims.length !== 3) {
      throw createConfigError(
        modelName,
        `input[${index}] ('${tensor.name}') has the format ${message.format}, which needs 3 dims, got ${formatShape(tensor.dims)}`,
      );
    }
    return {
      ...tensor,
      optional: message.optional ?? false,
      allowRaggedBatch: message.allow_ragged_batch ?? false,
    };
  });
}

/**
 * @param labelFiles text of each label file by the name that the message has for it; undefined where it is not there.
 * @throws {MillraceError} CONFIG_INVALID naming the field.
 */
export function resolveOutputs(
  messages: readonly ModelOutput[],
  modelName: string,
  labelFiles: ReadonlyMap<string, string | undefined>,
): readonly OutputSpec[] {
  refuseDuplicates(messages, 'output', modelName);
  return messages.map((message, index) => ({
    ...resolveTensor(message, `output[${index}]`, modelName),
    labels: resolveLabels(message, `output[${index}]`, modelName, labelFiles),
  }));
}

function refuseDuplicates(
  messages: readonly (ModelInput | ModelOutput)[],
  field: 'input' | 'output',
  modelName: string,
): void {
  const indexes = new Map<string | undefined, number>();
  for (const [index, { name }] of messages.entries()) {
    const first = indexes.get(name);
    if (name !== undefined && first !== undefined) {
      throw createConfigError(
        modelName,
        `${field}[${index}] has the name '${name}', which ${field}[${first}] has already`,
      );
    }
    indexes.set(name, index);
  }
}

type TensorSpec = Pick<InputSpec, 'name' | 'datatype' | 'dims' | 'reshape'>;

function resolveTensor(message: ModelInput | ModelOutput, where: string, modelName: string): TensorSpec {
  const { name } = message;
  if (name === undefined) {
    throw createConfigError(modelName, `${where} has no name`);
  }
  const fail = (problem: string) =>
    createConfigError(modelName, `${where} ('${name}') ${problem}`, { tensor: name });
  const datatype = datatypeFromDataType(message.data_type);
  if (datatype === undefined) {
    throw fail(`has no valid data_type, got ${message.data_type ?? 'none'}`);
  }
  const dims = (message.dims ?? []).map(Number);
  if (dims.length === 0) {
    throw fail('has no dims, and no shape in the model file: a single value is written as dims: [1]');
  }
  const reshape = message.reshape === undefined ? undefined : (message.reshape.shape ?? []).map(Number);
  for (const [field, sizes] of [
    ['dims', dims],
    ['reshape', reshape ?? []],
  ] as const) {
    if (!sizes.every(isDim)) {
      throw fail(
        `has ${field} ${formatShape(sizes)}: each must be at least 1 and below 2^53, or -1 for any size`,
      );
    }
  }
  const problem = reshape === undefined ? undefined : checkReshape(dims, reshape);
  if (problem !== undefined) {
    throw fail(problem);
  }
  return { name, datatype, dims, reshape };
}

function isDim(dim: number): boolean {
  return dim === -1 || (dim >= 1 && Number.isSafeInteger(dim));
}

/**
 * Triton's rule: the fixed sizes must hold the same number of elements, and the -1 of both must stand between fixed
 * parts that hold the same number of elements, so that each can be carried over. Beyond Triton, a model that does not
 * batch may have scalars: `dims: [1] reshape { }`.
 * @see https://github.com/triton-inference-server/core/blob/main/src/model_config_utils.cc (ValidateIOShape)
 */
function checkReshape(dims: Dims, reshape: Dims): string | undefined {
  const both = `has dims ${formatShape(dims)} and reshape ${formatShape(reshape)}`;
  const parts = countFixedParts(dims);
  const reshapedParts = countFixedParts(reshape);
  if (parts.length !== reshapedParts.length) {
    return `${both}: they must have the same number of -1`;
  }
  const differs = parts.findIndex((part, index) => part !== reshapedParts[index]);
  if (differs === -1) {
    return undefined;
  }
  const place = parts.length > 1 ? ' before, between or behind their -1' : '';
  return `${both}: they hold ${parts[differs]} and ${reshapedParts[differs]} elements${place}`;
}

/** Numbers of elements before, between and behind the -1 of dims; bigint, since a product may be beyond 2^53. */
function countFixedParts(dims: Dims): readonly bigint[] {
  const parts = [1n];
  for (const dim of dims) {
    if (dim === -1) {
      parts.push(1n);
    } else {
      parts.push((parts.pop() ?? 1n) * BigInt(dim));
    }
  }
  return parts;
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
    throw createConfigError(
      modelName,
      `${where} ('${name}') has the label_filename '${file}', but the repository has no file '${modelName}/${file}'`,
      { file },
    );
  }
  return parseLabels(text);
}
