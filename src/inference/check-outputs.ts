import { MillraceError } from '../base/errors.ts';
import type { OutputSpec } from '../model-config/model-config.ts';
import { findTensorFault } from '../tensor/create-tensor.ts';
import { formatShape, shapeMatches } from '../tensor/shape.ts';
import type { Tensor } from '../tensor/tensor.ts';

/**
 * Holds what an instance gave for a batch against what the model declares, before any row is given to a caller.
 * @param specs those of the outputs asked for, in the order of `outputs`.
 * @param rows undefined for a model without a batch dimension.
 * @throws {MillraceError} OUTPUT_BATCH_MISMATCH when a leading dimension is not `rows`; OUTPUT_INVALID for a missing
 *   output, another datatype, another shape, or data that does not fill its shape.
 */
export function checkOutputs(
  modelName: string,
  specs: readonly OutputSpec[],
  outputs: readonly Tensor[],
  rows: number | undefined,
): void {
  for (const [index, spec] of specs.entries()) {
    const tensor = outputs[index];
    if (tensor === undefined) {
      throw new MillraceError('OUTPUT_INVALID', `model '${modelName}' gave no output '${spec.name}'`, {
        details: { output: spec.name },
      });
    }
    checkOutput(modelName, spec, tensor, rows);
  }
}

function checkOutput(modelName: string, spec: OutputSpec, tensor: Tensor, rows: number | undefined): void {
  if (tensor.datatype !== spec.datatype) {
    throw new MillraceError(
      'OUTPUT_INVALID',
      `output '${spec.name}' of model '${modelName}' came as ${tensor.datatype}, expected ${spec.datatype}`,
      { details: { output: spec.name, expected: spec.datatype, found: tensor.datatype } },
    );
  }
  if (rows !== undefined && tensor.shape[0] !== rows) {
    throw new MillraceError(
      'OUTPUT_BATCH_MISMATCH',
      `output '${spec.name}' of model '${modelName}' came with shape ${formatShape(tensor.shape)} for a batch of ${rows} ` +
        `rows: expected a leading dimension of ${rows}, got ${tensor.shape[0] ?? 'none'}. The model does not keep rows ` +
        'apart: set max_batch_size: 0 in its config, or export it with a batch dimension',
      { details: { output: spec.name, expected: rows, found: tensor.shape[0] ?? 'none' } },
    );
  }
  const dims = spec.reshape ?? spec.dims;
  const expected = rows === undefined ? dims : [rows, ...dims];
  if (!shapeMatches(tensor.shape, expected)) {
    throw new MillraceError(
      'OUTPUT_INVALID',
      `output '${spec.name}' of model '${modelName}' came with shape ${formatShape(tensor.shape)}, expected ` +
        formatShape(expected),
      { details: { output: spec.name, expected: formatShape(expected), found: formatShape(tensor.shape) } },
    );
  }
  const fault = findTensorFault(tensor);
  if (fault !== undefined) {
    throw new MillraceError('OUTPUT_INVALID', `output '${spec.name}' of model '${modelName}' ${fault}`, {
      details: { output: spec.name },
    });
  }
}
