import { describe, expect, it } from 'vitest';
import { MillraceError } from '../base/errors.ts';
import { outcomeOf, resolveText } from '../model-config/testing/load-config.ts';
import { allocateData, assembleTensor } from '../tensor/create-tensor.ts';
import type { Datatype } from '../tensor/datatype.ts';
import { elementCount, type Shape } from '../tensor/shape.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { checkOutputs } from './check-outputs.ts';

const { outputs: SPECS } = resolveText(`max_batch_size: 8
  input { name: "x" data_type: TYPE_FP32 dims: [1] }
  output [
    { name: "label" data_type: TYPE_INT64 dims: [1] reshape { } },
    { name: "scores" data_type: TYPE_FP32 dims: [-1, 2] }
  ]`);

const zeros = (datatype: Datatype, shape: Shape): Tensor =>
  assembleTensor(datatype, shape, allocateData(datatype, elementCount(shape)));

const LABELS = zeros('INT64', [3]);

function outcome(rows: number | undefined, ...outputs: readonly Tensor[]): string {
  return outcomeOf(() => checkOutputs('demo', SPECS, outputs, rows));
}

describe('checkOutputs', () => {
  it.each([0, 1, 5])(
    'accepts a row for each row of the batch, in the shape of the model: %i scores',
    (size) => {
      expect(outcome(3, LABELS, zeros('FP32', [3, size, 2]))).toBe('accepted');
    },
  );

  it('asks for no batch dimension where the model has none', () => {
    expect(outcome(undefined, zeros('INT64', []), zeros('FP32', [7, 2]))).toBe('accepted');
    expect(outcome(undefined, zeros('INT64', [1]), zeros('FP32', [7, 2]))).toBe(
      "OUTPUT_INVALID output 'label' of model 'demo' came with shape [1], expected []",
    );
  });

  it.each([
    [[1, 1, 2], '[1,1,2]', 1],
    [[2, 1, 2], '[2,1,2]', 2],
    [[4, 1, 2], '[4,1,2]', 4],
    [[0, 1, 2], '[0,1,2]', 0],
    [[], '[]', 'none'],
  ])('D06: refuses shape %j for a batch of 3, with what to do', (shape, text, found) => {
    expect(outcome(3, LABELS, zeros('FP32', shape))).toBe(
      `OUTPUT_BATCH_MISMATCH output 'scores' of model 'demo' came with shape ${text} for a batch of 3 rows: expected a ` +
        `leading dimension of 3, got ${found}. The model does not keep rows apart: set max_batch_size: 0 in its config, or ` +
        'export it with a batch dimension',
    );
  });

  it('D06: tells output, expected and found to programs', () => {
    const check = (): void => checkOutputs('demo', SPECS, [zeros('INT64', [1])], 3);
    expect(check).toThrow(MillraceError);
    expect(check).toThrow(
      expect.objectContaining({ code: 'INTERNAL', details: { output: 'label', expected: 3, found: 1 } }),
    );
  });

  it.each([
    [[LABELS], "model 'demo' gave no output 'scores'"],
    [[LABELS, zeros('FP64', [3, 1, 2])], "output 'scores' of model 'demo' came as FP64, expected FP32"],
    [
      [LABELS, zeros('FP32', [3, 1, 3])],
      "output 'scores' of model 'demo' came with shape [3,1,3], expected [3,-1,2]",
    ],
    [
      [LABELS, zeros('FP32', [3, 2])],
      "output 'scores' of model 'demo' came with shape [3,2], expected [3,-1,2]",
    ],
    [
      [LABELS, assembleTensor('FP32', [3, 1, 2], new Float32Array(5))],
      "output 'scores' of model 'demo' has shape [3,1,2], which is 6 elements, but 5 are given",
    ],
  ])('refuses what the model does not declare: case %#', (outputs, message) => {
    expect(outcome(3, ...outputs)).toBe(`OUTPUT_INVALID ${message}`);
  });
});
