import { copyFileSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestFolder } from '../../onnx/testing/encode-model.ts';
import { createTensor } from '../../tensor/create-tensor.ts';
import { float16FromNumber } from '../../tensor/float16.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import type { BatchInputs, ModelInstance } from '../backend.ts';
import { createOnnxRuntimeBackend } from './onnxruntime-backend.ts';
import { fixturePath, planFixture, readModelCases, tensorOfCase } from './testing/fixture-models.ts';

const backend = createOnnxRuntimeBackend();

async function openFixture(model: string): Promise<ModelInstance> {
  const instance = await backend.createInstance(await planFixture(fixturePath(`${model}.onnx`)));
  onTestFinished(() => instance.close());
  return instance;
}

function batchOf(tensor: Tensor, outputName = 'OUTPUT0'): BatchInputs {
  return { inputs: [tensor], outputNames: [outputName], owned: true };
}

/** Its case has what the ONNX standard asks for; ONNX Runtime's CPU code computes this graph in FP32 instead. */
const NOT_AS_ITS_CASE = 'fp16_overflow_inner';

describe('every model of cases.json gives what ONNX Runtime gave under Python', () => {
  const cases = Object.entries(readModelCases()).filter(([model]) => model !== NOT_AS_ITS_CASE);
  it.each(cases)('%s', async (model, runs) => {
    const spec = await planFixture(fixturePath(`${model}.onnx`));
    const instance = await backend.createInstance(spec);
    onTestFinished(() => instance.close());
    for (const { inputs, outputs } of runs) {
      const result = await instance.execute({
        inputs: spec.config.inputs.map(({ name }) => inputs[name] && tensorOfCase(inputs[name])),
        outputNames: Object.keys(outputs),
        owned: true,
      });
      expect(result.outputs).toEqual(Object.values(outputs).map(tensorOfCase));
      expect(result.computeMicroseconds).toBeGreaterThan(0);
    }
  });
});

describe('a model file without shapes', () => {
  const PATH = fixturePath('no_shape.onnx');

  it('takes the dims of the config, which nothing contradicts', async () => {
    const tensor = (name: string): string => `{ name: "${name}" dims: [ 3 ] }`;
    const spec = await planFixture(
      PATH,
      `max_batch_size: 4 input ${tensor('INPUT0')} output ${tensor('OUTPUT0')}`,
    );
    const instance = await backend.createInstance(spec);
    onTestFinished(() => instance.close());
    const rows = createTensor('FP32', [2, 3], Float32Array.of(1, 2, 3, 4, 5, 6));
    expect((await instance.execute(batchOf(rows))).outputs).toEqual([rows]);
  });

  it('is refused where the config gives none either', async () => {
    await expect(planFixture(PATH)).rejects.toMatchObject({ reason: 'CONFIG_INVALID' });
  });
});

describe('tensors of size zero', () => {
  it.each([
    ['identity_fp32', createTensor('FP32', [0, 5], new Float32Array(0))],
    ['identity_int64', createTensor('INT64', [3, 0], new BigInt64Array(0))],
    ['identity_string', createTensor('BYTES', [0, 2], [])],
  ])('pass through %s', async (model, tensor) => {
    const instance = await openFixture(model);
    expect((await instance.execute(batchOf(tensor))).outputs).toEqual([tensor]);
  });
});

describe('BYTES', () => {
  const row = (...elements: Uint8Array[]): Tensor => createTensor('BYTES', [1, elements.length], elements);
  const text = (value: string): Uint8Array => new TextEncoder().encode(value);

  it('keep a byte order mark, any script, and empty elements', async () => {
    const instance = await openFixture('identity_string');
    const tensor = row(text('\ufeffmark'), text(''), text('é€😀'));
    expect((await instance.execute(batchOf(tensor))).outputs).toEqual([tensor]);
  });

  it.each([
    ['is no UTF-8', Uint8Array.of(0x61, 0xff), "input 'INPUT0': element 1 is not valid UTF-8"],
    ['has a NUL', text('a\0b'), "input 'INPUT0': element 1 holds a NUL byte"],
  ])('an element that %s is refused, not changed', async (_what, element, problem) => {
    const instance = await openFixture('identity_string');
    await expect(instance.execute(batchOf(row(text('good'), element)))).rejects.toMatchObject({
      reason: 'EXECUTION_FAILED',
      message: expect.stringContaining(problem),
    });
  });
});

describe('O01: a classifier with a map output', () => {
  it('loads; the map is told apart, the label runs, the map is refused', async () => {
    const { signature, warnings } = await backend.inspectModel(fixturePath('digits-zipmap.onnx'));
    expect(signature).toEqual({
      inputs: [{ name: 'pixels', datatype: 'FP32', shape: [-1, 64] }],
      outputs: [{ name: 'output_label', datatype: 'INT64', shape: [-1] }],
      nonTensorOutputs: ['output_probability'],
    });
    expect(warnings).toEqual([expect.stringContaining("'output_probability' is no tensor (sequence)")]);

    const instance = await openFixture('digits-zipmap');
    const pixels = (): Tensor => createTensor('FP32', [2, 64], new Float32Array(128));
    const [label] = (await instance.execute(batchOf(pixels(), 'output_label'))).outputs;
    expect(label).toMatchObject({ datatype: 'INT64', shape: [2] });
    await expect(instance.execute(batchOf(pixels(), 'output_probability'))).rejects.toMatchObject({
      reason: 'EXECUTION_FAILED',
    });
  });
});

describe('O02: external data', () => {
  const put = (fixture: string, path: string): string => {
    mkdirSync(dirname(path), { recursive: true });
    copyFileSync(fixturePath(fixture), path);
    return path;
  };
  const link = (target: string, path: string): string => {
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path);
    return path;
  };

  it('by links into one blob folder, as model hubs keep it, is loaded', async () => {
    const root = createTestFolder();
    const model = link(
      put('external_data.onnx', join(root, 'blobs', 'a1')),
      join(root, 'snapshot', 'model.onnx'),
    );
    link(put('external_data.bin', join(root, 'blobs', 'b2')), join(root, 'snapshot', 'external_data.bin'));
    const instance = await backend.createInstance(await planFixture(model));
    onTestFinished(() => instance.close());
    const ones = createTensor('FP32', [1, 16], new Float32Array(16).fill(1));
    const [output] = (await instance.execute(batchOf(ones))).outputs;
    expect(output?.data).toEqual(Float32Array.of(7.5, 7.75, 8, 8.25));
  });

  it('by a link that leads away is refused, which is what ONNX Runtime does too', async () => {
    const root = createTestFolder();
    const model = put('external_data.onnx', join(root, 'models', 'model.onnx'));
    const data = put('external_data.bin', join(root, 'models', 'external_data.bin'));
    const spec = await planFixture(model);
    rmSync(data);
    link(put('external_data.bin', join(root, 'elsewhere', 'b2')), data);
    await expect(backend.inspectModel(model)).rejects.toMatchObject({ reason: 'MODEL_FILE_INVALID' });
    await expect(backend.createInstance(spec)).rejects.toThrow('External data path escapes model directory');
  });
});

describe('O03: models beyond this ONNX Runtime are refused at load, others go on', () => {
  it.each([
    ['opset_99', "needs opset 99 of domain 'ai.onnx'", 'has up to opset'],
    ['ml_opset_99', "needs opset 99 of domain 'ai.onnx.ml'", 'has up to opset'],
    ['ir_99', 'has IR version 99', 'reads up to'],
    ['unknown_op', "uses operator 'Frobnicate' of domain 'com.example'", 'does not have'],
    ['unknown_standard_op', "uses operator 'Frobnicate'", 'does not have at opset 17'],
  ])('%s', async (model, problem, limit) => {
    const other = await openFixture('identity_fp32');
    await expect(openFixture(model)).rejects.toMatchObject({
      reason: 'MODEL_UNSUPPORTED',
      message: expect.stringMatching(`${model}\\.onnx' ${problem}.* ONNX Runtime 1\\.\\d+\\.\\d+ ${limit}`),
    });
    const tensor = createTensor('FP32', [1, 1], Float32Array.of(5));
    expect((await other.execute(batchOf(tensor))).outputs).toEqual([tensor]);
  });

  it('an opset before the first one that ONNX Runtime promises still runs', async () => {
    const instance = await openFixture('opset_6');
    const negative = createTensor('FP32', [1, 4], Float32Array.of(-1, 2, -3, 4));
    const [output] = (await instance.execute(batchOf(negative))).outputs;
    expect(output?.data).toEqual(Float32Array.of(0, 2, 0, 4));
  });

  it.each(['int4', 'uint4', 'float8e4m3fn', 'complex64', 'bfloat16'])(
    'an output of %s, by the file alone',
    async (type) => {
      await expect(backend.inspectModel(fixturePath(`output_${type}.onnx`))).rejects.toMatchObject({
        reason: 'MODEL_UNSUPPORTED',
        message: expect.stringContaining(`has datatype ${type.toUpperCase()}`),
      });
    },
  );
});

describe('O04: half precision', () => {
  it('gives the same bytes 200 times, alone and beside a row that overflows, and keeps infinity', async () => {
    const instance = await openFixture('fp16_overflow');
    const bits = (value: number): number[] => new Array(16).fill(float16FromNumber(value));
    const multiply = async (...rows: number[]): Promise<Tensor['data'] | undefined> => {
      const data = Uint16Array.from(rows.flatMap(bits));
      const { outputs } = await instance.execute(batchOf(createTensor('FP16', [rows.length, 16], data)));
      return outputs[0]?.data;
    };
    const INFINITY_BITS = 0x7c00;
    const expected = bits(25_600);
    for (let round = 0; round < 100; round += 1) {
      expect(await multiply(100)).toEqual(Uint16Array.from(expected));
      expect(await multiply(300, 100)).toEqual(
        Uint16Array.from([...new Array(16).fill(INFINITY_BITS), ...expected]),
      );
    }
  });
});

describe('O07: models whose results differ from run to run', () => {
  it.each([
    ['dropout_train', 'Dropout of output OUTPUT0', 'is in training mode'],
    ['batchnorm_training', 'normalise', 'is in training mode'],
    ['random_normal_like', 'RandomNormalLike_node', 'draws random numbers'],
    ['random_normal_like_seeded', 'RandomNormalLike_node', 'draws random numbers'],
    ['random_in_function', 'AddNoise/noise', 'draws random numbers'],
  ])('%s: the node is named, and its results do differ', async (model, node, problem) => {
    const { warnings, nondeterministicNodes, signature } = await backend.inspectModel(
      fixturePath(`${model}.onnx`),
    );
    expect(nondeterministicNodes).toEqual([node]);
    expect(warnings).toEqual([expect.stringMatching(new RegExp(`'${node}'.*${problem}`))]);

    const instance = await openFixture(model);
    const width = signature.inputs[0]?.shape?.[1] ?? 0;
    const texts = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      const data = Float32Array.from({ length: 2 * width }, (_, index) => index + 1);
      const { outputs } = await instance.execute(batchOf(createTensor('FP32', [2, width], data)));
      texts.add(String(outputs[0]?.data));
    }
    expect(texts.size).toBeGreaterThan(1);
  });
});

describe('O08: loading and unloading', () => {
  it('20 times while another instance works', async () => {
    const busy = await openFixture('slow');
    const spec = await planFixture(fixturePath('identity_fp32.onnx'));
    const tensor = (): Tensor => createTensor('FP32', [1, 16], new Float32Array(16).fill(1));
    for (let round = 0; round < 20; round += 1) {
      const traffic = busy.execute(batchOf(tensor()));
      const instance = await backend.createInstance(spec);
      const batches = [instance.execute(batchOf(tensor())), instance.execute(batchOf(tensor()))];
      await instance.close();
      for (const { outputs } of await Promise.all([...batches, traffic])) {
        expect(outputs[0]?.data[0]).toBeCloseTo(1, 3);
      }
    }
  });

  it('four instances at once, each created, run and closed', async () => {
    const spec = await planFixture(fixturePath('add_sub.onnx'));
    const ones = (): Tensor => createTensor('FP32', [1, 16], new Float32Array(16).fill(1));
    const sums = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const instance = await backend.createInstance(spec);
        const { outputs } = await instance.execute({
          inputs: [ones(), ones()],
          outputNames: ['OUTPUT0'],
          owned: true,
        });
        await instance.close();
        return outputs[0]?.data[0];
      }),
    );
    expect(sums).toEqual([2, 2, 2, 2]);
  });
});
