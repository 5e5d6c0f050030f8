/**
 * Everything that can be wrong with a request by itself is found here, before the queue, so that a bad request never
 * shares a batch. The texts follow Triton's where it has one.
 * @see https://github.com/triton-inference-server/core/blob/main/src/infer_request.cc (Normalize)
 */
import { MillraceError } from '../base/errors.ts';
import { nearestNames, quoteNames } from '../base/nearest-names.ts';
import type { DynamicBatching, InputSpec, ModelConfig } from '../model-config/model-config.ts';
import { elementCount, formatShape, type Shape } from '../tensor/shape.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { InferenceRequest, ValidatedRequest } from './request.ts';
import type { RequestRules } from './request-rules.ts';
import { reshapeRows } from './reshape.ts';

/**
 * @throws {MillraceError} INPUT_MISSING, INPUT_UNKNOWN, DATATYPE_MISMATCH, SHAPE_MISMATCH, TENSOR_INVALID,
 *   BATCH_TOO_LARGE, OUTPUT_UNKNOWN, OUTPUT_REPEATED, OUTPUT_NOT_TENSOR, PARAMETER_INVALID.
 */
export function validateRequest(request: InferenceRequest, rules: RequestRules): ValidatedRequest {
  const { config } = rules;
  const inputs: (Tensor | undefined)[] = [];
  let found = 0;
  let rows = config.maxBatchSize > 0 ? -1 : 1;
  for (const spec of config.inputs) {
    const tensor = request.inputs.get(spec.name);
    if (tensor === undefined) {
      if (!spec.optional) {
        throw missingInput(spec, request, config);
      }
      inputs.push(undefined);
      continue;
    }
    found += 1;
    checkTensor(spec, tensor, config);
    if (config.maxBatchSize > 0) {
      rows = sharedRows(spec, tensor, rows, config);
    }
    inputs.push(spec.reshape === undefined ? tensor : reshapeInput(spec, spec.reshape, tensor, config));
  }
  if (found !== request.inputs.size) {
    throw unknownInput(request, config);
  }
  if (rows > config.maxBatchSize && config.maxBatchSize > 0 && !rules.splitOversize) {
    throw new MillraceError(
      'BATCH_TOO_LARGE',
      `inference request batch-size must be <= ${config.maxBatchSize} for '${config.name}', got ${rows}: send fewer ` +
        `rows, or set parameters { key: "split_oversize" value { string_value: "true" } } in its config`,
      { details: { model: config.name, expected: config.maxBatchSize, found: rows } },
    );
  }
  return {
    request,
    inputs,
    // Without a single input there is nothing to tell the rows from.
    rows: rows === -1 ? 1 : rows,
    outputNames: chooseOutputs(request, rules),
    priority: choosePriority(request, config),
  };
}

function checkTensor(spec: InputSpec, tensor: Tensor, config: ModelConfig): void {
  if (tensor.datatype !== spec.datatype) {
    throw new MillraceError(
      'DATATYPE_MISMATCH',
      `inference input '${spec.name}' data-type is '${tensor.datatype}', but model '${config.name}' expects ` +
        `'${spec.datatype}'`,
      { details: { input: spec.name, expected: spec.datatype, found: tensor.datatype } },
    );
  }
  if (!fitsDims(tensor.shape, spec, config.maxBatchSize > 0)) {
    throw shapeMismatch(spec, tensor.shape, config);
  }
  if (tensor.data.length !== elementCount(tensor.shape)) {
    throw new MillraceError(
      'TENSOR_INVALID',
      `input '${spec.name}' for model '${config.name}' has shape ${formatShape(tensor.shape)}, which is ` +
        `${elementCount(tensor.shape)} elements, but ${tensor.data.length} are given`,
      { details: { input: spec.name, expected: elementCount(tensor.shape), found: tensor.data.length } },
    );
  }
}

function fitsDims(shape: Shape, spec: InputSpec, batched: boolean): boolean {
  const offset = batched ? 1 : 0;
  if (shape.length !== spec.dims.length + offset) {
    return false;
  }
  for (let index = 0; index < shape.length; index += 1) {
    const size = shape[index] ?? -1;
    const dim = index < offset ? -1 : spec.dims[index - offset];
    if (!Number.isInteger(size) || size < 0 || (dim !== -1 && dim !== size)) {
      return false;
    }
  }
  return true;
}

function shapeMismatch(spec: InputSpec, shape: Shape, config: ModelConfig): MillraceError {
  const batched = config.maxBatchSize > 0;
  const expected = formatShape(batched ? [-1, ...spec.dims] : spec.dims);
  const note = batched
    ? '. NOTE: Setting a non-zero max_batch_size in the model config requires a batch dimension to be prepended to each input shape'
    : '';
  return new MillraceError(
    'SHAPE_MISMATCH',
    `unexpected shape for input '${spec.name}' for model '${config.name}'. Expected ${expected}, got ${formatShape(shape)}${note}`,
    { details: { input: spec.name, expected, found: formatShape(shape) } },
  );
}

/** The number of rows of this input, which all inputs must share. `rows` is that of the inputs before, or -1. */
function sharedRows(spec: InputSpec, tensor: Tensor, rows: number, config: ModelConfig): number {
  const own = tensor.shape[0] ?? 0;
  if (own === 0) {
    throw new MillraceError(
      'SHAPE_MISMATCH',
      `input '${spec.name}' for model '${config.name}' has shape ${formatShape(tensor.shape)}: the batch dimension must ` +
        'be at least 1',
      { details: { input: spec.name, found: formatShape(tensor.shape) } },
    );
  }
  if (rows !== -1 && own !== rows) {
    throw new MillraceError(
      'SHAPE_MISMATCH',
      `input '${spec.name}' batch size does not match other inputs for model '${config.name}': expected ${rows} rows, ` +
        `got ${own}`,
      { details: { input: spec.name, expected: rows, found: own } },
    );
  }
  return own;
}

function reshapeInput(
  spec: InputSpec,
  reshape: readonly number[],
  tensor: Tensor,
  config: ModelConfig,
): Tensor {
  const reshaped = reshapeRows(tensor, spec.dims, reshape, config.maxBatchSize > 0);
  if (reshaped === undefined) {
    throw new MillraceError(
      'SHAPE_MISMATCH',
      `input '${spec.name}' for model '${config.name}' with shape ${formatShape(tensor.shape)} cannot take the shape ` +
        `${formatShape(reshape)} that its config's reshape asks for`,
      { details: { input: spec.name, expected: formatShape(reshape), found: formatShape(tensor.shape) } },
    );
  }
  return reshaped;
}

function missingInput(spec: InputSpec, request: InferenceRequest, config: ModelConfig): MillraceError {
  const required = config.inputs.filter(({ optional }) => !optional);
  const missing = required.filter(({ name }) => !request.inputs.has(name)).map(({ name }) => name);
  return new MillraceError(
    'INPUT_MISSING',
    `expected ${required.length} inputs but got ${request.inputs.size} inputs for model '${config.name}'. Got input(s) ` +
      `${quoteNames([...request.inputs.keys()])}, but missing required input(s) ${quoteNames(missing)}`,
    { details: { input: spec.name, missing } },
  );
}

function unknownInput(request: InferenceRequest, config: ModelConfig): MillraceError {
  const known = config.inputs.map(({ name }) => name);
  const unknown = [...request.inputs.keys()].find((name) => !known.includes(name)) ?? '';
  return new MillraceError(
    'INPUT_UNKNOWN',
    `unexpected inference input '${unknown}' for model '${config.name}'${suggest(unknown, known)}`,
    { details: { input: unknown } },
  );
}

function chooseOutputs(request: InferenceRequest, rules: RequestRules): readonly string[] {
  const requested = request.requestedOutputs;
  if (requested === undefined || requested.length === 0) {
    return rules.outputNames;
  }
  const names: string[] = [];
  for (const { name, classificationCount = 0 } of requested) {
    if (!rules.outputNames.includes(name)) {
      throw unknownOutput(name, rules);
    }
    if (names.includes(name)) {
      throw new MillraceError(
        'OUTPUT_REPEATED',
        `output '${name}' of model '${rules.config.name}' is asked for twice: ask for it once`,
        { details: { output: name } },
      );
    }
    requireWhole('classification', classificationCount, 0, Number.MAX_SAFE_INTEGER);
    names.push(name);
  }
  return names;
}

function unknownOutput(name: string, rules: RequestRules): MillraceError {
  if (rules.nonTensorOutputs.includes(name)) {
    return new MillraceError(
      'OUTPUT_NOT_TENSOR',
      `output '${name}' of model '${rules.config.name}' is a sequence or a map, not a tensor: export the model without ` +
        `it (skl2onnx: options={"zipmap": False}), or ask for ${quoteNames(rules.outputNames)} only`,
      { details: { output: name } },
    );
  }
  return new MillraceError(
    'OUTPUT_UNKNOWN',
    `unexpected inference output '${name}' for model '${rules.config.name}'${suggest(name, rules.outputNames)}`,
    { details: { output: name } },
  );
}

function suggest(name: string, known: readonly string[]): string {
  const nearest = nearestNames(name, known);
  return nearest.length > 0 ? `: did you mean ${quoteNames(nearest)}?` : `: it has ${quoteNames(known)}`;
}

function choosePriority(request: InferenceRequest, { dynamicBatching }: ModelConfig): number {
  if (request.timeoutMicroseconds !== undefined) {
    requireWhole('timeout', request.timeoutMicroseconds, 0, Number.MAX_SAFE_INTEGER);
  }
  const levels = dynamicBatching?.priorityLevels ?? 0;
  const priority = request.priority ?? 0;
  if (priority !== 0) {
    requireWhole('priority', priority, 0, Number.MAX_SAFE_INTEGER);
  }
  if (levels === 0) {
    return 0;
  }
  // A level that the model does not have counts as none given, as in Triton.
  return priority === 0 || priority > levels ? defaultLevel(dynamicBatching) : priority;
}

function defaultLevel(dynamicBatching: DynamicBatching | undefined): number {
  return dynamicBatching?.defaultPriorityLevel ?? 0;
}

function requireWhole(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new MillraceError(
      'PARAMETER_INVALID',
      `parameter '${name}' must be a whole number of at least ${min}, got ${value}`,
      {
        details: { parameter: name, found: value },
      },
    );
  }
}
