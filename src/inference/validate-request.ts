/**
 * Everything that can be wrong with a request by itself is found here, before the queue, so that a bad request never
 * shares a batch. The texts follow Triton's where it has one.
 * @see https://github.com/triton-inference-server/core/blob/main/src/infer_request.cc (Normalize)
 */
import { MillraceError } from '../base/errors.ts';
import { nearestNames, quoteNames } from '../base/nearest-names.ts';
import type { InputSpec, ModelConfig } from '../model-config/model-config.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { checkInput } from './check-input.ts';
import { chooseOutputs } from './choose-outputs.ts';
import type { InferenceRequest, ValidatedRequest } from './request.ts';
import { checkWholeParameter, choosePriority } from './request-parameters.ts';
import type { RequestRules } from './request-rules.ts';
import { reshapeRows } from './reshape.ts';
import { suggestNames } from './suggest-names.ts';

/**
 * @throws {MillraceError} INPUT_MISSING, INPUT_UNKNOWN, DATATYPE_MISMATCH, SHAPE_MISMATCH, TENSOR_INVALID,
 *   BATCH_TOO_LARGE, OUTPUT_UNKNOWN, OUTPUT_REPEATED, OUTPUT_NOT_TENSOR, PARAMETER_INVALID.
 */
export function validateRequest(request: InferenceRequest, rules: RequestRules): ValidatedRequest {
  const { config } = rules;
  const batched = config.maxBatchSize > 0;
  const inputs: (Tensor | undefined)[] = [];
  let found = 0;
  let rows: number | undefined;
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
    checkInput(spec, tensor, config);
    if (batched) {
      rows = sharedRows(spec, tensor, rows, config);
    }
    inputs.push(spec.reshape === undefined ? tensor : reshapeRows(tensor, spec.dims, spec.reshape, batched));
  }
  if (found !== request.inputs.size) {
    throw unknownInput(request, config);
  }
  if (rows !== undefined && rows > config.maxBatchSize && !rules.splitOversize) {
    throw batchTooLarge(rows, config);
  }
  if (request.timeoutMicroseconds !== undefined) {
    checkWholeParameter('timeout', request.timeoutMicroseconds);
  }
  return {
    request,
    inputs,
    // Without a batch dimension, or a single input to tell it from, a request is one row.
    rows: rows ?? 1,
    outputNames: chooseOutputs(request.requestedOutputs, rules),
    priority: choosePriority(request, config),
  };
}

/**
 * The rows of this input, which all inputs must share.
 * @param rows of the inputs before it; undefined: it is the first.
 */
function sharedRows(spec: InputSpec, tensor: Tensor, rows: number | undefined, config: ModelConfig): number {
  const [own = 0] = tensor.shape;
  if (rows !== undefined && own !== rows) {
    throw new MillraceError(
      'SHAPE_MISMATCH',
      `input '${spec.name}' batch size does not match other inputs for '${config.name}': expected ${rows} rows, got ${own}`,
      { details: { input: spec.name, expected: rows, found: own } },
    );
  }
  return own;
}

function missingInput(spec: InputSpec, request: InferenceRequest, config: ModelConfig): MillraceError {
  const required = config.inputs.filter(({ optional }) => !optional);
  const missing = required.filter(({ name }) => !request.inputs.has(name)).map(({ name }) => name);
  const given = [...request.inputs.keys()];
  const [unknown] = unknownNames(request, config);
  const expected =
    required.length === config.inputs.length
      ? `expected ${required.length} inputs`
      : `expected number of inputs between ${required.length} and ${config.inputs.length}`;
  const hint =
    unknown !== undefined && nearestNames(unknown, missing).length > 0
      ? `. '${unknown}' is no input of the model${suggestNames(unknown, missing)}`
      : '';
  return new MillraceError(
    'INPUT_MISSING',
    `${expected} but got ${given.length} inputs for model '${config.name}'. Got input(s) ${quoteNames(given)}, but ` +
      `missing required input(s) ${quoteNames(missing)}${hint}`,
    { details: { input: spec.name, missing } },
  );
}

function unknownInput(request: InferenceRequest, config: ModelConfig): MillraceError {
  const [unknown = ''] = unknownNames(request, config);
  const known = config.inputs.map(({ name }) => name);
  return new MillraceError(
    'INPUT_UNKNOWN',
    `unexpected inference input '${unknown}' for model '${config.name}'${suggestNames(unknown, known)}`,
    { details: { input: unknown } },
  );
}

function unknownNames(request: InferenceRequest, config: ModelConfig): readonly string[] {
  const known = new Set(config.inputs.map(({ name }) => name));
  return [...request.inputs.keys()].filter((name) => !known.has(name));
}

function batchTooLarge(rows: number, config: ModelConfig): MillraceError {
  return new MillraceError(
    'BATCH_TOO_LARGE',
    `inference request batch-size must be <= ${config.maxBatchSize} for '${config.name}', got ${rows}: send fewer ` +
      `rows, or set parameters { key: "split_oversize" value { string_value: "true" } } in its config`,
    { details: { model: config.name, expected: config.maxBatchSize, found: rows } },
  );
}
