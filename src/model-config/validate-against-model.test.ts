import { describe, expect, it } from 'vitest';
import { inspectModel } from '../backend/onnxruntime/inspect-model.ts';
import { fixturePath } from '../backend/onnxruntime/testing/fixture-models.ts';
import type { ModelSignature } from './model-config.ts';
import { loadText, outcomeOf, signatureOf, signatureTensor } from './testing/load-config.ts';

function outcomeOfLoad(text: string | undefined, signature: ModelSignature): string {
  return outcomeOf(() => loadText(text, signature));
}

const X = 'input { name: "x" data_type: TYPE_FP32 dims: 4 }';

function batched(dims: string, reshape = ''): string {
  return `max_batch_size: 8 ${X} output { name: "y" data_type: TYPE_FP32 dims: ${dims} ${reshape} }`;
}

describe('C04: dims of the config against those of the model', () => {
  const FIXED = signatureOf([-1, 4], [-1, 256, 25]);
  const DYNAMIC = signatureOf([-1, 4], [-1, -1, -1]);

  it.each([
    ['[256, 25]', FIXED],
    ['[256, 25]', DYNAMIC],
    ['[-1, 25]', DYNAMIC],
    ['[256, -1]', DYNAMIC],
    ['[128, 25]', DYNAMIC],
    ['[-1, -1]', DYNAMIC],
  ])('accepts %s where the model allows it, or more', (dims, signature) => {
    expect(outcomeOfLoad(batched(dims), signature)).toBe('accepted');
  });

  it.each([
    [
      '[-1, 25]',
      "CONFIG_MODEL_MISMATCH config of model 'demo': output 'y' has the shape [-1,-1,25] (max_batch_size 8 adds the first " +
        'dimension) by the config, but [-1,256,25] in the model: dimension 1 is -1 (any size) by the config, but always 256 in the model',
    ],
    ['[256, -1]', 'dimension 2 is -1 (any size) by the config, but always 25 in the model'],
    ['[128, 25]', 'dimension 1 is 128 by the config, but always 256 in the model'],
    [
      '[25]',
      "output 'y' has the shape [-1,25] (max_batch_size 8 adds the first dimension) by the config, but [-1,256,25] in the " +
        'model: 2 dimensions against 3',
    ],
    [
      '[-1, 256, 25]',
      '4 dimensions against 3. With max_batch_size above 0, dims leave the batch dimension out',
    ],
  ])('refuses %s, wider than the model or against it', (dims, message) => {
    expect(outcomeOfLoad(batched(dims), FIXED)).toContain(message);
  });

  it('holds inputs to the same rule', () => {
    const model = signatureOf([-1, 3, 224], [-1, 2]);
    const text = (dims: string) =>
      `max_batch_size: 8 input { name: "x" data_type: TYPE_FP32 dims: ${dims} } output { name: "y" data_type: TYPE_FP32 dims: 2 }`;
    expect(outcomeOfLoad(text('[3, -1]'), model)).toContain("input 'x' has the shape [-1,3,-1]");
    expect(outcomeOfLoad(text('[3, 112]'), model)).toContain('dimension 2 is 112');
    expect(outcomeOfLoad(text('[3, 224]'), model)).toBe('accepted');
  });

  it('says what max_batch_size 0 means for dims', () => {
    const text = `${X} output { name: "y" data_type: TYPE_FP32 dims: [256, 25] }`;
    expect(outcomeOfLoad(text, FIXED)).toContain(
      "input 'x' has the shape [4] by the config, but [-1,4] in the model: 1 dimensions against 2. With max_batch_size 0, " +
        'dims are the full shape: set max_batch_size, or add the first dimension',
    );
  });

  it('C06: compares what the model sees, which is the reshape where there is one', () => {
    expect(outcomeOfLoad(batched('[1]', 'reshape { }'), signatureOf([-1, 4], [-1]))).toBe('accepted');
    expect(outcomeOfLoad(batched('[1]'), signatureOf([-1, 4], [-1]))).toContain('has the shape [-1,1]');
    expect(outcomeOfLoad(batched('[6400]', 'reshape { shape: [256, 25] }'), FIXED)).toBe('accepted');
    expect(outcomeOfLoad(batched('[6400]', 'reshape { shape: [25, 256] }'), FIXED)).toContain(
      'dimension 1 is 25',
    );
  });
});

describe('O05: a batch dimension that the model has fixed', () => {
  it.each([
    ['an input', signatureOf([1, 4], [-1, 2]), "input 'x' has the shape [-1,4]", 'but [1,4] in the model'],
    ['an output', signatureOf([-1, 4], [1, 2]), "output 'y' has the shape [-1,2]", 'but [1,2] in the model'],
    [
      'a scalar output',
      signatureOf([-1, 4], []),
      "output 'y' has the shape [-1,2]",
      'which has no dimension',
    ],
  ])('is refused for %s', (_, signature, tensor, shape) => {
    const text = outcomeOfLoad(batched('[2]'), signature);
    expect(text).toContain('CONFIG_MODEL_MISMATCH');
    expect(text).toContain(tensor);
    expect(text).toContain(shape);
    expect(text).toContain('rows cannot be batched: set max_batch_size: 0');
    // The same where the tensors come from the model itself.
    expect(outcomeOfLoad('max_batch_size: 8', signature)).toContain('set max_batch_size: 0');
    expect(outcomeOfLoad(undefined, signature)).toBe('accepted');
  });

  it('of any fixed size is refused, also where the dims of the config repeat it', () => {
    expect(outcomeOfLoad(batched('[2]'), signatureOf([-1, 4], [8, 2]))).toContain(
      'first dimension fixed at 8',
    );
    expect(outcomeOfLoad(batched('[1, 2]'), signatureOf([-1, 4], [1, 2]))).toContain(
      'first dimension fixed at 1',
    );
  });
});

describe('names and datatypes', () => {
  const MODEL: ModelSignature = {
    inputs: [
      signatureTensor('input_ids', [-1, 8], 'INT64'),
      signatureTensor('attention_mask', [-1, 8], 'INT64'),
    ],
    outputs: [signatureTensor('logits', [-1, 2]), signatureTensor('pooled', [-1, 16])],
    nonTensorOutputs: ['scores'],
  };
  const INPUTS =
    'input { name: "input_ids" data_type: TYPE_INT64 dims: 8 } input { name: "attention_mask" data_type: TYPE_INT64 dims: 8 }';
  const text = (inputs: string, output = 'name: "logits" data_type: TYPE_FP32 dims: 2') =>
    `max_batch_size: 4 ${inputs} output { ${output} }`;

  it('some of the outputs are enough', () => {
    expect(loadText(text(INPUTS), MODEL).outputs.map(({ name }) => name)).toEqual(['logits']);
  });

  it.each([
    [
      text(INPUTS.replace('input_ids', 'inputs_ids')),
      "the model has no input 'inputs_ids': did you mean 'input_ids'?",
    ],
    [
      text(INPUTS, 'name: "zz" data_type: TYPE_FP32 dims: 2'),
      "the model has no output 'zz': it has 'logits', 'pooled'",
    ],
    [
      text('input { name: "input_ids" data_type: TYPE_INT64 dims: 8 }'),
      "the model has an input 'attention_mask' that the config does not name: add it",
    ],
    [
      text(INPUTS.replace('TYPE_INT64', 'TYPE_INT32')),
      "input 'input_ids' is INT32 in the config, but INT64 in the model",
    ],
    [
      text(INPUTS, 'name: "logits" data_type: TYPE_FP16 dims: 2'),
      "output 'logits' is FP16 in the config, but FP32 in the model",
    ],
  ])('refuses %s', (config, message) => {
    expect(outcomeOfLoad(config, MODEL)).toContain('CONFIG_MODEL_MISMATCH');
    expect(outcomeOfLoad(config, MODEL)).toContain(message);
  });

  it('O01: an output that is no tensor is refused with the fix of the export', () => {
    const asked = outcomeOfLoad(text(INPUTS, 'name: "scores" data_type: TYPE_FP32 dims: 2'), MODEL);
    expect(asked).toContain("OUTPUT_NOT_TENSOR config of model 'demo' names output 'scores'");
    expect(asked).toContain('skl2onnx: options={"zipmap": False}');
    expect(outcomeOfLoad(undefined, { ...MODEL, outputs: [] })).toContain(
      "OUTPUT_NOT_TENSOR model 'demo' has no tensor output",
    );
  });
});

describe('model files', () => {
  async function load(file: string, text?: string): Promise<string> {
    const { signature } = await inspectModel(fixturePath(file));
    return outcomeOfLoad(text, signature);
  }

  it.each([
    'add_sub.onnx',
    'digits-zipmap.onnx',
    'fixed_batch_1.onnx',
    'identity_string.onnx',
    'no_batch.onnx',
    'scalar.onnx',
    'two_dynamic.onnx',
  ])('C06, O01, O05: %s loads without a config', async (file) => {
    expect(await load(file)).toBe('accepted');
  });

  it('O05: fixed_batch_1.onnx with max_batch_size 4 is refused', async () => {
    expect(await load('fixed_batch_1.onnx', 'max_batch_size: 4')).toContain(
      'first dimension fixed at 1, so that rows cannot be batched: set max_batch_size: 0',
    );
  });

  it('O01: digits-zipmap.onnx with its map named in the config is refused', async () => {
    const text = 'output { name: "output_probability" data_type: TYPE_FP32 dims: 10 }';
    expect(await load('digits-zipmap.onnx', text)).toContain('OUTPUT_NOT_TENSOR');
  });
});
