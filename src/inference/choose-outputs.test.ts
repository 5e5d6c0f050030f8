import { describe, expect, it } from 'vitest';
import { outcomeOf, resolveText } from '../model-config/testing/load-config.ts';
import { DATATYPE_NAMES } from '../tensor/datatype.ts';
import { chooseOutputs } from './choose-outputs.ts';
import type { RequestedOutput } from './request.ts';
import { createRequestRules } from './request-rules.ts';

const RULES = createRequestRules(
  resolveText(`input { name: "x" data_type: TYPE_FP32 dims: [1] }
    output [
      { name: "label" data_type: TYPE_INT64 dims: [1] },
      { name: "scores" data_type: TYPE_FP32 dims: [3] }
    ]`),
  ['map'],
);

const outcome = (...requested: readonly RequestedOutput[]): string =>
  outcomeOf(() => chooseOutputs(requested, RULES));

describe('chooseOutputs', () => {
  it('P03: gives all where none is asked for', () => {
    expect(chooseOutputs(undefined, RULES)).toEqual(['label', 'scores']);
    expect(chooseOutputs([], RULES)).toEqual(['label', 'scores']);
  });

  it('gives what is asked for, in that order', () => {
    expect(chooseOutputs([{ name: 'scores' }], RULES)).toEqual(['scores']);
    expect(chooseOutputs([{ name: 'scores' }, { name: 'label' }], RULES)).toEqual(['scores', 'label']);
  });

  it('gives one and the same list to all who ask for everything in order, and to nobody else', () => {
    expect(chooseOutputs([{ name: 'label' }, { name: 'scores' }], RULES)).toBe(RULES.outputNames);
    expect(chooseOutputs([{ name: 'label' }], RULES)).not.toBe(RULES.outputNames);
  });

  it.each([
    ['score', "unexpected inference output 'score' for model 'demo': did you mean 'scores'?"],
    [
      'nothing_like_it',
      "unexpected inference output 'nothing_like_it' for model 'demo': it has 'label', 'scores'",
    ],
    ['constructor', "unexpected inference output 'constructor' for model 'demo': it has 'label', 'scores'"],
    ['', "unexpected inference output '' for model 'demo': it has 'label', 'scores'"],
  ])('P03: refuses the output %j that the model lacks', (name, message) => {
    expect(outcome({ name })).toBe(`OUTPUT_UNKNOWN ${message}`);
  });

  it('P03: refuses an output asked for twice, also when the number is right', () => {
    const message = "OUTPUT_REPEATED output 'label' of model 'demo' is asked for twice: ask for it once";
    expect(outcome({ name: 'label' }, { name: 'label' })).toBe(message);
    expect(outcome({ name: 'label' }, { name: 'scores' }, { name: 'label', classificationCount: 1 })).toBe(
      message,
    );
  });

  it('O01: says of an output that is no tensor how to export the model', () => {
    expect(outcome({ name: 'map' })).toBe(
      "OUTPUT_NOT_TENSOR output 'map' of model 'demo' is a sequence or a map, not a tensor: export the model without it " +
        `(skl2onnx: options={"zipmap": False}), or ask for 'label', 'scores' only`,
    );
  });
});

describe('C07: classification', () => {
  it.each([0, 1, 9, 2 ** 31])('may ask for the %i highest', (classificationCount) => {
    expect(outcome({ name: 'scores', classificationCount })).toBe('accepted');
  });

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('may not ask for %d', (classificationCount) => {
    expect(outcome({ name: 'scores', classificationCount })).toBe(
      `PARAMETER_INVALID parameter 'classification' must be a whole number of at least 0, got ${classificationCount}`,
    );
  });

  it('takes the datatypes that Triton ranks, and refuses the others before anything runs', () => {
    const refused = DATATYPE_NAMES.filter((datatype) => {
      const dataType = `TYPE_${datatype === 'BYTES' ? 'STRING' : datatype}`;
      const config = resolveText(`input { name: "x" data_type: TYPE_FP32 dims: [1] }
        output { name: "y" data_type: ${dataType} dims: [3] }`);
      const text = outcomeOf(() =>
        chooseOutputs([{ name: 'y', classificationCount: 1 }], createRequestRules(config, [])),
      );
      if (text !== 'accepted') {
        expect(text).toBe(
          "PARAMETER_INVALID class result not available for output 'y' of model 'demo' due to unsupported type " +
            `'${datatype}': ask for the tensor itself`,
        );
      }
      return text !== 'accepted';
    });
    expect(refused).toEqual(['BOOL', 'FP16', 'BF16', 'BYTES']);
  });
});
