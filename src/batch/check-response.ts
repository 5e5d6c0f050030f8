import { MillraceError } from '../base/errors.ts';
import type { InferenceResponse } from '../inference/response.ts';
import { elementCount, formatShape, shapeMatches } from '../tensor/shape.ts';
import type { OutputColumn } from './manifest.ts';

/**
 * Holds a response against what was asked for: success is every output, of its datatype and shape, with a row for each
 * row sent.
 * @param rows undefined for a model without a batch dimension.
 * @throws {MillraceError} RESPONSE_INVALID.
 */
export function checkResponse(
  response: InferenceResponse,
  outputs: readonly OutputColumn[],
  rows: number | undefined,
): void {
  for (const { name, datatype, dims } of outputs) {
    const tensor = response.outputs.get(name);
    const expected = rows === undefined ? dims : [rows, ...dims];
    if (tensor === undefined) {
      const found = [...response.outputs.keys()].join("', '");
      throw invalid(name, `is missing, the response has ${found === '' ? 'none' : `'${found}'`}`);
    }
    if (tensor.datatype !== datatype) {
      throw invalid(name, `came as ${tensor.datatype}, expected ${datatype}`);
    }
    if (!shapeMatches(tensor.shape, expected)) {
      throw invalid(name, `came with shape ${formatShape(tensor.shape)}, expected ${formatShape(expected)}`);
    }
    if (tensor.data.length !== elementCount(tensor.shape)) {
      throw invalid(name, `has ${tensor.data.length} values for shape ${formatShape(tensor.shape)}`);
    }
  }
}

function invalid(output: string, problem: string): MillraceError {
  return new MillraceError('RESPONSE_INVALID', `output '${output}' ${problem}`, { details: { output } });
}
