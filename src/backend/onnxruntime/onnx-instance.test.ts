import { spawnSync } from 'node:child_process';
import { parse } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTensor } from '../../tensor/create-tensor.ts';
import type { BatchOutputs, ModelInstance } from '../backend.ts';
import { createOnnxInstance, type OnnxInstanceOptions } from './onnx-instance.ts';
import { fixturePath } from './testing/fixture-models.ts';

const WORKERS = new URL('../../../test/fixtures/workers/', import.meta.url);
const FAILING = new URL('failing-worker.mjs', WORKERS);

async function open(model = 'identity_fp32', workerUrl?: URL): Promise<ModelInstance> {
  const instance = await createOnnxInstance({
    name: 'fixture_0_0',
    device: 'cpu',
    start: {
      modelPath: fixturePath(`${model}.onnx`),
      sessionOptions: { intraOpNumThreads: 1, logSeverityLevel: 4 },
      inputNames: ['INPUT0'],
    },
    ...(workerUrl && { workerUrl }),
  });
  onTestFinished(() => instance.close());
  return instance;
}

/** Runs a batch of one row of `values` on an identity model. */
function run(instance: ModelInstance, values: Float32Array<ArrayBuffer>): Promise<BatchOutputs> {
  return instance.execute({
    inputs: [createTensor('FP32', [1, values.length], values)],
    outputNames: ['OUTPUT0'],
    owned: true,
  });
}

describe('batches', () => {
  it('come back in the order in which they were sent, however many are in flight', async () => {
    const instance = await open();
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, index) => run(instance, Float32Array.of(index))),
    );
    expect(results.map(({ outputs }) => outputs[0]?.data[0])).toEqual(results.map((_, index) => index));
  });

  it('a failing one rejects alone, between others', async () => {
    const instance = await open();
    const wrongRank = instance.execute({
      inputs: [createTensor('FP32', [2], Float32Array.of(1, 2))],
      outputNames: ['OUTPUT0'],
      owned: true,
    });
    const results = await Promise.allSettled([
      run(instance, Float32Array.of(1)),
      wrongRank,
      run(instance, Float32Array.of(3)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await expect(wrongRank).rejects.toMatchObject({
      reason: 'EXECUTION_FAILED',
      message: expect.stringContaining('Invalid rank for input: INPUT0 Got: 1 Expected: 2'),
    });
  });

  it('a view into a larger buffer leaves the buffer as it is', async () => {
    const instance = await open();
    const shared = new Float32Array(10_000).fill(1);
    const view = shared.subarray(10, 9_000);
    const [output] = (await run(instance, view)).outputs;
    expect(output?.data).toEqual(view);
    expect(shared).toHaveLength(10_000);
  });
});

describe('close', () => {
  it('waits for what was sent, refuses what comes after, and may be called again', async () => {
    const instance = await open('slow');
    const batches = [1, 2, 3].map((value) => run(instance, new Float32Array(16).fill(value)));
    const closed = Promise.all([instance.close(), instance.close()]);
    await expect(run(instance, new Float32Array(16))).rejects.toMatchObject({ reason: 'SHUTTING_DOWN' });
    const results = await Promise.all(batches);
    expect(results).toHaveLength(3);
    await closed;
    await instance.close();
    const settled = await Promise.race([instance.failed, Promise.resolve('never failed')]);
    expect(settled).toBe('never failed');
  });
});

describe('O08: a thread that dies', () => {
  it.each([
    ['exits', -1, 'its thread ended with exit code 7'],
    ['throws', -2, 'out of luck'],
  ])('%s: its batches and later ones reject, and failed says why', async (_how, value, why) => {
    const instance = await open('identity_fp32', FAILING);
    await run(instance, Float32Array.of(1));
    const batches = [value, 2].map((first) => run(instance, Float32Array.of(first)));
    const expected = { reason: 'INSTANCE_FAILED', message: `model instance 'fixture_0_0' died: ${why}` };
    for (const result of await Promise.allSettled(batches)) {
      expect(result).toMatchObject({ status: 'rejected', reason: expected });
    }
    expect(await instance.failed).toMatchObject(expected);
    await expect(run(instance, Float32Array.of(3))).rejects.toMatchObject(expected);
    await instance.close();
  });

  it('after close was called: its batches reject, and it has not failed', async () => {
    const instance = await open('identity_fp32', FAILING);
    const batch = run(instance, Float32Array.of(-1));
    const closed = instance.close();
    await expect(batch).rejects.toMatchObject({ reason: 'INSTANCE_FAILED' });
    await closed;
    expect(await Promise.race([instance.failed, Promise.resolve('never failed')])).toBe('never failed');
  });

  it('before it has loaded: the instance is not created', async () => {
    const opening = open('identity_fp32', new URL('stillborn-worker.mjs', WORKERS));
    await expect(opening).rejects.toMatchObject({
      reason: 'MODEL_LOAD_FAILED',
      message: "model instance 'fixture_0_0' died: its thread ended with exit code 3",
    });
  });
});

describe('a datatype that ONNX Runtime for Node cannot carry', () => {
  it.each(['int4', 'uint4'])(
    'an output of %s is refused, whatever the file says, before it can be run',
    async (type) => {
      await expect(open(`output_${type}`)).rejects.toMatchObject({
        reason: 'MODEL_UNSUPPORTED',
        message: expect.stringContaining(`datatype ${type} of 'OUTPUT0'`),
      });
    },
  );
});

describe('in a process of its own, started in the root folder', () => {
  function load(model: string, executionProvider: string): unknown {
    const module = new URL('../../../dist/backend/onnxruntime/onnx-instance.js', import.meta.url);
    const options: OnnxInstanceOptions = {
      name: 'fixture_0_0',
      device: executionProvider,
      start: {
        modelPath: fixturePath(`${model}.onnx`),
        sessionOptions: { executionProviders: [executionProvider], logSeverityLevel: 4 },
        inputNames: ['INPUT0'],
      },
    };
    const code = `
      import { createOnnxInstance } from ${JSON.stringify(module)};
      const close = (instance) => instance.close().then(() => 'loaded and closed');
      const opening = createOnnxInstance(${JSON.stringify(options)});
      console.log(await opening.then(close, ({ reason }) => reason));`;
    const child = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
      encoding: 'utf8',
      cwd: parse(process.cwd()).root,
    });
    return { status: child.status, stdout: child.stdout.trim(), stderr: child.stderr };
  }

  it('O02: external data is found from any working folder, and the process ends once all is closed', () => {
    expect(load('external_data', 'cpu')).toEqual({ status: 0, stdout: 'loaded and closed', stderr: '' });
  });

  it('M06: a provider that cannot load is an error, and not a word of it goes to stderr', () => {
    expect(load('add_sub', 'cuda')).toEqual({ status: 0, stdout: 'PROVIDER_UNAVAILABLE', stderr: '' });
  });
});
