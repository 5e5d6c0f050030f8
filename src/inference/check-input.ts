import { MillraceError } from '../base/errors.ts';
import type { InputSpec, ModelConfig } from '../model-config/model-config.ts';
import { findTensorFault } from '../tensor/create-tensor.ts';
import { type Dims, formatShape, type Shape } from '../tensor/shape.ts';
import type { Tensor } from '../tensor/tensor.ts';

/**
 * Holds one input of a request against its declaration.
 * @throws {MillraceError} DATATYPE_MISMATCH, SHAPE_MISMATCH, TENSOR_INVALID naming the input, expected and found.
 */
export function checkInput(spec: InputSpec, tensor: Tensor, config: ModelConfig): void {
  if (tensor.datatype !== spec.datatype) {
    throw new MillraceError(
      'DATATYPE_MISMATCH',
      `inference input '${spec.name}' data-type is '${tensor.datatype}', but model '${config.name}' expects ` +
        `'${spec.datatype}'`,
      { details: { input: spec.name, expected: spec.datatype, found: tensor.datatype } },
    );
  }
  if (!fitsDims(tensor.shape, spec.dims, config.maxBatchSize > 0 ? 1 : 0)) {
    throw shapeMismatch(spec, tensor.shape, config);
  }
  const fault = findTensorFault(tensor);
  if (fault !== undefined) {
    throw new MillraceError('TENSOR_INVALID', `input '${spec.name}' for model '${config.name}' ${fault}`, {
      details: { input: spec.name },
    });
  }
}

/** @param leading 1: the shape has a batch dimension of at least 1 row before `dims`. */
function fitsDims(shape: Shape, dims: Dims, leading: 0 | 1): boolean {
  if (shape.length !== dims.length + leading || (leading === 1 && !isSize(shape[0], 1))) {
    return false;
  }
  for (let axis = leading; axis < shape.length; axis += 1) {
    const dim = dims[axis - leading];
    if (dim === -1 ? !isSize(shape[axis], 0) : shape[axis] !== dim) {
      return false;
    }
  }
  return true;
}

function isSize(size: number | undefined, min: number): boolean {
  return Number.isInteger(size) && size !== undefined && size >= min;
}

function shapeMismatch(spec: InputSpec, shape: Shape, config: ModelConfig): MillraceError {
  const batched = config.maxBatchSize > 0;
  const expected = batched ? [-1, ...spec.dims] : spec.dims;
  const details = { input: spec.name, expected: formatShape(expected), found: formatShape(shape) };
  if (shape.includes(-1)) {
    return new MillraceError(
      'SHAPE_MISMATCH',
      `All input dimensions should be specified for input '${spec.name}' for model '${config.name}', got ` +
        formatShape(shape),
      { details },
    );
  }
  const note = batched
    ? '. NOTE: Setting a non-zero max_batch_size in the model config requires a batch dimension to be prepended to each ' +
      'input shape'
    : '';
  return new MillraceError(
    'SHAPE_MISMATCH',
    `unexpected shape for input '${spec.name}' for model '${config.name}'. Expected ${formatShape(expected)}, got ` +
      `${formatShape(shape)}: ${describeMismatch(shape, expected, batched)}${note}`,
    { details },
  );
}

function describeMismatch(shape: Shape, expected: Dims, batched: boolean): string {
  if (shape.length !== expected.length) {
    return `it must have ${expected.length} dimensions, not ${shape.length}`;
  }
  if (batched && !isSize(shape[0], 1)) {
    return `dimension 0, the batch dimension, must be at least 1, not ${shape[0]}`;
  }
  const axis = expected.findIndex((dim, index) =>
    dim === -1 ? !isSize(shape[index], 0) : dim !== shape[index],
  );
  const size = expected[axis] === -1 ? 'an integer of at least 0' : expected[axis];
  return `dimension ${axis} must be ${size}, not ${shape[axis]}`;
}
