import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelConfig } from '../model-config/model-config.ts';
import { outcomeOf, resolveText } from '../model-config/testing/load-config.ts';
import { allocateData, assembleTensor } from '../tensor/create-tensor.ts';
import { DATATYPE_NAMES, type Datatype } from '../tensor/datatype.ts';
import { elementCount, type Shape } from '../tensor/shape.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { InferenceRequest, ValidatedRequest } from './request.ts';
import { createRequestRules } from './request-rules.ts';
import { validateRequest } from './validate-request.ts';

const OUTPUT = 'output { name: "y" data_type: TYPE_FP32 dims: [2] }';

const BATCHING = resolveText(`max_batch_size: 4
  input [
    { name: "pixels" data_type: TYPE_FP32 dims: [64] },
    { name: "mask" data_type: TYPE_BOOL dims: [-1, 2] optional: true }
  ] ${OUTPUT}`);

const NOT_BATCHING = resolveText(`
  input [
    { name: "a" data_type: TYPE_FP32 dims: [-1] },
    { name: "b" data_type: TYPE_STRING dims: [-1, 3] }
  ] ${OUTPUT}`);

const NOTE =
  '. NOTE: Setting a non-zero max_batch_size in the model config requires a batch dimension to be prepended to each input shape';

/** A tensor of zeros. The shape may be nonsense, which no data can fill. */
function zeros(shape: Shape, datatype: Datatype = 'FP32'): Tensor {
  const count = elementCount(shape);
  return assembleTensor(
    datatype,
    shape,
    allocateData(datatype, Number.isInteger(count) && count > 0 ? count : 0),
  );
}

type Inputs = Readonly<Record<string, Tensor>>;

function validate(
  config: ModelConfig,
  inputs: Inputs,
  rest: Partial<InferenceRequest> = {},
): ValidatedRequest {
  const request = { modelName: 'demo', inputs: new Map(Object.entries(inputs)), ...rest };
  return validateRequest(request, createRequestRules(config, []));
}

const outcome = (config: ModelConfig, inputs: Inputs): string => outcomeOf(() => validate(config, inputs));

describe('a request that fits', () => {
  it('has its inputs in the order of the config, undefined for an optional one left out, and its rows', () => {
    const pixels = zeros([3, 64]);
    const mask = zeros([3, 7, 2], 'BOOL');
    expect(validate(BATCHING, { mask, pixels })).toMatchObject({
      inputs: [pixels, mask],
      rows: 3,
      priority: 0,
    });
    expect(validate(BATCHING, { pixels })).toMatchObject({ inputs: [pixels, undefined], rows: 3 });
  });

  it('is one row where the model does not batch, or where no input tells', () => {
    expect(validate(NOT_BATCHING, { a: zeros([9]), b: zeros([2, 3], 'BYTES') }).rows).toBe(1);
    const allOptional = resolveText(
      `max_batch_size: 4 input { name: "x" data_type: TYPE_FP32 dims: [1] optional: true } ${OUTPUT}`,
    );
    expect(validate(allOptional, {}).rows).toBe(1);
  });

  it.each(DATATYPE_NAMES)('P06: may have empty tensors of %s, but for the batch dimension', (datatype) => {
    const dataType = `TYPE_${datatype === 'BYTES' ? 'STRING' : datatype}`;
    const open = (maxBatchSize: number, dims: string): ModelConfig =>
      resolveText(
        `max_batch_size: ${maxBatchSize} input { name: "x" data_type: ${dataType} dims: ${dims} } ${OUTPUT}`,
      );
    expect(outcome(open(0, '[-1]'), { x: zeros([0], datatype) })).toBe('accepted');
    expect(outcome(open(0, '[-1, -1]'), { x: zeros([2, 0], datatype) })).toBe('accepted');
    expect(validate(open(4, '[-1]'), { x: zeros([2, 0], datatype) }).rows).toBe(2);
  });

  it('never loses or gains an element, whatever its variable sizes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.nat(5), (rows, size) => {
        const mask = zeros([rows, size, 2], 'BOOL');
        expect(validate(BATCHING, { pixels: zeros([rows, 64]), mask }).inputs[1]).toBe(mask);
      }),
    );
  });
});

describe('inputs that are not those of the model', () => {
  it.each([
    [
      {},
      "INPUT_MISSING expected number of inputs between 1 and 2 but got 0 inputs for model 'demo'. Got input(s) none, but " +
        "missing required input(s) 'pixels'",
    ],
    [
      { pixel: zeros([1, 64]) },
      "INPUT_MISSING expected number of inputs between 1 and 2 but got 1 inputs for model 'demo'. Got input(s) 'pixel', " +
        "but missing required input(s) 'pixels'. 'pixel' is no input of the model: did you mean 'pixels'?",
    ],
    [
      { pixels: zeros([1, 64]), masks: zeros([1, 1, 2], 'BOOL') },
      "INPUT_UNKNOWN unexpected inference input 'masks' for model 'demo': did you mean 'mask'?",
    ],
    [
      { pixels: zeros([1, 64]), temperature: zeros([1]) },
      "INPUT_UNKNOWN unexpected inference input 'temperature' for model 'demo': it has 'pixels', 'mask'",
    ],
  ])('case %#', (inputs: Inputs, text) => {
    expect(outcome(BATCHING, inputs)).toBe(text);
  });

  it('counts only, where none is optional, and names all that are missing', () => {
    expect(outcome(NOT_BATCHING, {})).toBe(
      "INPUT_MISSING expected 2 inputs but got 0 inputs for model 'demo'. Got input(s) none, but missing required " +
        "input(s) 'a', 'b'",
    );
  });

  it('are not found on the prototype of an object', () => {
    const inputs = { pixels: zeros([1, 64]), constructor: zeros([1]) };
    expect(outcome(BATCHING, inputs)).toContain("unexpected inference input 'constructor'");
  });
});

describe('a tensor that does not fit', () => {
  it.each(DATATYPE_NAMES.filter((datatype) => datatype !== 'FP32'))('%s for FP32', (datatype) => {
    expect(outcome(BATCHING, { pixels: zeros([1, 64], datatype) })).toBe(
      `DATATYPE_MISMATCH inference input 'pixels' data-type is '${datatype}', but model 'demo' expects 'FP32'`,
    );
  });

  it.each([
    [[64], `[-1,64], got [64]: it must have 2 dimensions, not 1${NOTE}`],
    [[], `[-1,64], got []: it must have 2 dimensions, not 0${NOTE}`],
    [[1, 1, 64], `[-1,64], got [1,1,64]: it must have 2 dimensions, not 3${NOTE}`],
    [[1, 63], `[-1,64], got [1,63]: dimension 1 must be 64, not 63${NOTE}`],
    [[0, 64], `[-1,64], got [0,64]: dimension 0, the batch dimension, must be at least 1, not 0${NOTE}`],
    [
      [1.5, 64],
      `[-1,64], got [1.5,64]: dimension 0, the batch dimension, must be at least 1, not 1.5${NOTE}`,
    ],
    [
      [Number.NaN, 64],
      `[-1,64], got [NaN,64]: dimension 0, the batch dimension, must be at least 1, not NaN${NOTE}`,
    ],
  ])('shape %j where there is a batch dimension', (shape, text) => {
    expect(outcome(BATCHING, { pixels: zeros(shape) })).toBe(
      `SHAPE_MISMATCH unexpected shape for input 'pixels' for model 'demo'. Expected ${text}`,
    );
  });

  it.each([
    [[2], '[-1,3], got [2]: it must have 2 dimensions, not 1'],
    [[2, 4], '[-1,3], got [2,4]: dimension 1 must be 3, not 4'],
    [[-2, 3], '[-1,3], got [-2,3]: dimension 0 must be an integer of at least 0, not -2'],
    [[0.5, 3], '[-1,3], got [0.5,3]: dimension 0 must be an integer of at least 0, not 0.5'],
  ])('shape %j where there is none', (shape, text) => {
    expect(outcome(NOT_BATCHING, { a: zeros([1]), b: zeros(shape, 'BYTES') })).toBe(
      `SHAPE_MISMATCH unexpected shape for input 'b' for model 'demo'. Expected ${text}`,
    );
  });

  it.each([
    [BATCHING, { pixels: zeros([-1, 64]) }, 'pixels', '[-1,64]'],
    [NOT_BATCHING, { a: zeros([-1]), b: zeros([0, 3], 'BYTES') }, 'a', '[-1]'],
  ])('a size left open', (config, inputs: Inputs, name, shape) => {
    expect(outcome(config, inputs)).toBe(
      `SHAPE_MISMATCH All input dimensions should be specified for input '${name}' for model 'demo', got ${shape}`,
    );
  });

  it.each([
    [assembleTensor('FP32', [0], new Float32Array(1)), 'has shape [0], which is 0 elements, but 1 are given'],
    [assembleTensor('FP32', [3], new Float32Array(2)), 'has shape [3], which is 3 elements, but 2 are given'],
    [{ datatype: 'FP32', shape: [2], data: [1, 2] }, 'must be held in a Float32Array, got a Array'],
    [
      { datatype: 'FP32', shape: [2], data: new Float64Array(2) },
      'must be held in a Float32Array, got a Float64Array',
    ],
  ])('P06: data that does not fill its shape, or is stored otherwise: case %#', (tensor, fault) => {
    // Callers in JavaScript are bound by no type.
    expect(outcome(NOT_BATCHING, { a: tensor as Tensor, b: zeros([0, 3], 'BYTES') })).toBe(
      `TENSOR_INVALID input 'a' for model 'demo' ${fault}`,
    );
  });

  it('rows that differ from those of the other inputs', () => {
    expect(outcome(BATCHING, { pixels: zeros([2, 64]), mask: zeros([3, 1, 2], 'BOOL') })).toBe(
      "SHAPE_MISMATCH input 'mask' batch size does not match other inputs for 'demo': expected 2 rows, got 3",
    );
  });
});

describe('C06: reshape', () => {
  const scalar = resolveText(
    `max_batch_size: 4 input { name: "x" data_type: TYPE_FP32 dims: [1] reshape { } } ${OUTPUT}`,
  );

  it('gives the model the shape of its config, the batch dimension kept, without a copy', () => {
    const x = zeros([2, 1]);
    const [input] = validate(scalar, { x }).inputs;
    expect(input).toEqual(zeros([2]));
    expect(input?.data).toBe(x.data);
  });

  it.each([[[2]], [[1]]])('does not take the shape %j of the model from a client', (shape) => {
    expect(outcome(scalar, { x: zeros(shape) })).toBe(
      "SHAPE_MISMATCH unexpected shape for input 'x' for model 'demo'. Expected [-1,1], got " +
        `[${shape}]: it must have 2 dimensions, not 1${NOTE}`,
    );
  });

  it('gives a model with a scalar input its scalar', () => {
    const config = resolveText(`input { name: "x" data_type: TYPE_FP32 dims: [1] reshape { } } ${OUTPUT}`);
    expect(validate(config, { x: zeros([1]) }).inputs).toEqual([zeros([])]);
  });

  it('carries each size left open over', () => {
    const config = resolveText(
      `max_batch_size: 4 input { name: "x" data_type: TYPE_FP32 dims: [-1, -1] reshape { shape: [1, -1, -1] } } ${OUTPUT}`,
    );
    expect(validate(config, { x: zeros([2, 3, 5]) }).inputs[0]?.shape).toEqual([2, 1, 3, 5]);
  });
});

describe('more rows than max_batch_size', () => {
  it('are refused, in words that say what to do', () => {
    expect(validate(BATCHING, { pixels: zeros([4, 64]) }).rows).toBe(4);
    expect(outcome(BATCHING, { pixels: zeros([5, 64]) })).toBe(
      "BATCH_TOO_LARGE inference request batch-size must be <= 4 for 'demo', got 5: send fewer rows, or set parameters " +
        '{ key: "split_oversize" value { string_value: "true" } } in its config',
    );
  });

  it.each([
    ['true', true],
    ['TRUE', true],
    ['false', false],
    ['1', false],
  ])('are taken by split_oversize: %s says %s', (value, taken) => {
    const config = resolveText(`max_batch_size: 4 input { name: "x" data_type: TYPE_FP32 dims: [1] } ${OUTPUT}
      parameters { key: "split_oversize" value { string_value: "${value}" } }`);
    expect(outcome(config, { x: zeros([9, 1]) }) === 'accepted').toBe(taken);
  });
});
