import { describe, expect, it } from 'vitest';
import { autoCompleteConfig } from './auto-complete.ts';
import type { ModelConfigMessage } from './generated/model-config-message.ts';
import type { ModelSignature } from './model-config.ts';
import { parseModelConfig, printModelConfig } from './model-config-text.ts';
import { loadText, signatureOf, signatureTensor } from './testing/load-config.ts';

function complete(text: string | undefined, signature: ModelSignature, maxBatchSize = 4): ModelConfigMessage {
  const message = text === undefined ? undefined : parseModelConfig(text, 'config.pbtxt');
  return autoCompleteConfig(message, signature, { modelName: 'demo', backend: 'onnxruntime', maxBatchSize });
}

const BATCHING = signatureOf([-1, 64], [-1, 10]);
const X = 'input { name: "x" data_type: TYPE_FP32 dims: 64 }';
const Y = 'output { name: "y" data_type: TYPE_FP32 dims: 10 }';

describe('without a config', () => {
  it('a model whose tensors all begin with -1 batches up to the default size', () => {
    expect(printModelConfig(complete(undefined, BATCHING))).toBe(`name: "demo"
backend: "onnxruntime"
max_batch_size: 4
input {
  name: "x"
  data_type: TYPE_FP32
  dims: [64]
}
output {
  name: "y"
  data_type: TYPE_FP32
  dims: [10]
}
dynamic_batching {}
`);
  });

  it('O05: any other model does not batch, and its dims are the full shapes', () => {
    for (const signature of [
      signatureOf([1, 4], [-1, 4]),
      signatureOf([-1, 4], [1, 2]),
      signatureOf([-1], []),
    ]) {
      const message = complete(undefined, signature);
      expect(message.max_batch_size).toBeUndefined();
      expect(message.dynamic_batching).toBeUndefined();
      expect(message.input?.[0]?.dims).toEqual(signature.inputs[0]?.shape?.map(BigInt));
    }
  });

  it('a default size of 1 batches without a dynamic batcher, 0 or less not at all', () => {
    expect(complete(undefined, BATCHING, 1)).toMatchObject({ max_batch_size: 1 });
    expect(complete(undefined, BATCHING, 1).dynamic_batching).toBeUndefined();
    for (const none of [0, -1]) {
      expect(complete(undefined, BATCHING, none)).toMatchObject({ input: [{ dims: [-1n, 64n] }] });
      expect(complete(undefined, BATCHING, none).max_batch_size).toBeUndefined();
    }
  });

  it('outputs that are no tensors have no part in it', () => {
    const signature = { ...signatureOf([-1, 4], [-1]), nonTensorOutputs: ['probabilities'] };
    expect(complete(undefined, signature).max_batch_size).toBe(4);
    expect(complete(undefined, signature).output).toEqual([
      { name: 'y', data_type: 'TYPE_FP32', dims: [1n], reshape: {} },
    ]);
  });

  it('C06: scalars and rows of one value are one element, which the model sees without a dimension', () => {
    const scalar = loadText(undefined, signatureOf([], []));
    expect(scalar.maxBatchSize).toBe(0);
    expect(scalar.inputs).toMatchObject([{ dims: [1], reshape: [] }]);
    expect(scalar.outputs).toMatchObject([{ dims: [1], reshape: [] }]);
    const perRow = loadText(undefined, signatureOf([-1], [-1]));
    expect(perRow.maxBatchSize).toBe(4);
    expect(perRow.inputs).toMatchObject([{ dims: [1], reshape: [] }]);
  });

  it('names every datatype', () => {
    const signature: ModelSignature = {
      inputs: [signatureTensor('text', [-1, 1], 'BYTES'), signatureTensor('half', [-1, 1], 'FP16')],
      outputs: [signatureTensor('flag', [-1, 1], 'BOOL')],
      nonTensorOutputs: [],
    };
    expect(complete(undefined, signature)).toMatchObject({
      input: [{ data_type: 'TYPE_STRING' }, { data_type: 'TYPE_FP16' }],
      output: [{ data_type: 'TYPE_BOOL' }],
    });
  });
});

describe('with a config', () => {
  it('one that describes its inputs and outputs is taken as it is: no max_batch_size means 0', () => {
    const message = complete(`${X} ${Y}`, BATCHING);
    expect(message.max_batch_size).toBeUndefined();
    expect(message.dynamic_batching).toBeUndefined();
    expect(complete(`max_batch_size: 8 ${X} ${Y}`, BATCHING)).toMatchObject({ max_batch_size: 8 });
    expect(complete(`max_batch_size: 8 ${X} ${Y}`, BATCHING).dynamic_batching).toBeUndefined();
  });

  it('one that lacks inputs or outputs gets both from the model, and batches as a model without a config', () => {
    for (const text of ['', 'max_batch_size: 0', X, Y, 'instance_group { count: 2 }']) {
      expect(complete(text, BATCHING)).toMatchObject({
        max_batch_size: 4,
        input: [{ name: 'x', data_type: 'TYPE_FP32', dims: [64n] }],
        output: [{ name: 'y', data_type: 'TYPE_FP32', dims: [10n] }],
        dynamic_batching: {},
      });
    }
  });

  it('max_batch_size and a scheduler stay as they are', () => {
    expect(complete('max_batch_size: 32', BATCHING)).toMatchObject({
      max_batch_size: 32,
      dynamic_batching: {},
    });
    expect(complete('max_batch_size: 1', BATCHING).dynamic_batching).toBeUndefined();
    expect(complete('dynamic_batching { preserve_ordering: true }', BATCHING).dynamic_batching).toEqual({
      preserve_ordering: true,
    });
    expect(complete('sequence_batching { }', BATCHING).dynamic_batching).toBeUndefined();
    expect(complete('max_batch_size: -1', BATCHING).max_batch_size).toBe(-1);
  });

  it('tensors may be given by name, with or without datatype and dims', () => {
    expect(
      complete('input { name: "x" } output { name: "y" label_filename: "l.txt" }', BATCHING),
    ).toMatchObject({
      max_batch_size: 4,
      input: [{ name: 'x', data_type: 'TYPE_FP32', dims: [64n] }],
      output: [{ name: 'y', data_type: 'TYPE_FP32', dims: [10n], label_filename: 'l.txt' }],
    });
    expect(
      complete('input { name: "x" dims: [-1, 32] } output { name: "y" dims: [-1, 10] }', BATCHING),
    ).toMatchObject({ input: [{ name: 'x', data_type: 'TYPE_FP32', dims: [-1n, 32n] }] });
    expect(complete('input { dims: 1 }', BATCHING).input).toEqual([{ dims: [1n] }]);
  });

  it('a name that the model has not is refused with the nearest one', () => {
    expect(() => complete('input { name: "x1" }', BATCHING)).toThrow(
      "the model has no input 'x1': did you mean 'x'?",
    );
    expect(() => complete('output { name: "p" }', { ...BATCHING, nonTensorOutputs: ['p'] })).toThrow(
      'skl2onnx',
    );
  });

  it('a tensor whose shape the model does not give takes the dims of the config', () => {
    const unknown: ModelSignature = {
      ...BATCHING,
      outputs: [{ name: 'y', datatype: 'FP32', shape: undefined }],
    };
    expect(complete(undefined, unknown).max_batch_size).toBeUndefined();
    expect(complete(undefined, unknown).output).toEqual([{ name: 'y', data_type: 'TYPE_FP32' }]);
    expect(() => loadText(undefined, unknown)).toThrow(
      "output[0] ('y') has no dims, and no shape in the model file",
    );
    expect(loadText(`max_batch_size: 8 ${X} ${Y}`, unknown).outputs).toMatchObject([{ dims: [10] }]);
  });

  it('C06: dims: [1] describes a scalar, as in Triton', () => {
    const text =
      'input { name: "x" data_type: TYPE_FP32 dims: 1 } output { name: "y" data_type: TYPE_FP32 dims: 1 }';
    expect(loadText(text, signatureOf([], [])).inputs).toMatchObject([{ dims: [1], reshape: [] }]);
    expect(() => loadText(text.replace('dims: 1', 'dims: 2'), signatureOf([], []))).toThrow(
      "input 'x' has the shape [2]",
    );
    expect(() => loadText(`max_batch_size: 4 ${text}`, signatureOf([], []))).toThrow('set max_batch_size: 0');
    // A row of one value that the model sees as [1] is no scalar.
    expect(
      complete(`max_batch_size: 4 ${text}`, signatureOf([-1, 1], [-1, 1])).input?.[0]?.reshape,
    ).toBeUndefined();
    expect(
      complete(`max_batch_size: 4 ${text}`, signatureOf([-1], [-1])).input?.[0]?.reshape,
    ).toBeUndefined();
  });

  it('name, backend and platform stay as they are', () => {
    expect(complete('name: "other"', BATCHING).name).toBe('other');
    expect(complete('platform: "onnxruntime_onnx"', BATCHING).backend).toBeUndefined();
    expect(complete('backend: "python"', BATCHING).backend).toBe('python');
  });
});
