import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOnnxRuntimeBackend } from '../backend/onnxruntime/onnxruntime-backend.ts';
import type { InferenceRequest } from '../inference/request.ts';
import { createTensor } from '../tensor/create-tensor.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { createInferenceEngine, type InferenceEngine } from './inference-engine.ts';

const MODELS = fileURLToPath(new URL('../../test/fixtures/models/', import.meta.url));

let repository: string;
let engine: InferenceEngine;
let notices: string[];

beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), 'millrace-engine-'));
  notices = [];
  engine = createInferenceEngine({
    modelRepositories: [repository],
    backends: [createOnnxRuntimeBackend()],
    onNotice: (message) => notices.push(message),
  });
});

afterEach(async () => {
  await engine.close();
  rmSync(repository, { recursive: true });
});

/** Puts a fixture model into the repository. */
function addModel(file: string, config?: string, versions: readonly string[] = ['1'], name = file): void {
  for (const version of versions) {
    mkdirSync(join(repository, name, version), { recursive: true });
    copyFileSync(join(MODELS, `${file}.onnx`), join(repository, name, version, 'model.onnx'));
  }
  if (config !== undefined) {
    writeFileSync(join(repository, name, 'config.pbtxt'), config);
  }
}

const requestOf = (modelName: string, name: string, tensor: Tensor): InferenceRequest => ({
  modelName,
  inputs: new Map([[name, tensor]]),
});

const fp32 = (shape: readonly number[], ...values: number[]): Tensor =>
  createTensor('FP32', shape, Float32Array.from(values));

/** Eight rows that come within a second run together. */
const ONE_BATCH_OF_8 =
  'dynamic_batching { preferred_batch_size: [ 8 ] max_queue_delay_microseconds: 1000000 }';

describe('loading', () => {
  it('C01: a model with a broken config is UNAVAILABLE with the reason, and the others load', async () => {
    addModel('identity_fp32', 'max_batch_size: @MAX_BATCH@');
    addModel('add_sub');
    await expect(engine.loadModel('identity_fp32')).rejects.toMatchObject({ reason: 'CONFIG_SYNTAX' });
    await engine.loadModel('add_sub');
    expect(engine.repositoryIndex()).toEqual([
      {
        name: 'identity_fp32',
        version: undefined,
        state: 'UNAVAILABLE',
        reason: expect.stringMatching(/config\.pbtxt:1:\d+.*placeholder/),
      },
      { name: 'add_sub', version: 1n, state: 'READY', reason: '' },
    ]);
    await expect(engine.infer(requestOf('identity_fp32', 'INPUT0', fp32([1, 1], 1)))).rejects.toMatchObject({
      reason: 'MODEL_NOT_READY',
      message: expect.stringContaining('placeholder'),
    });
  });

  it('O03: a model that the runtime does not take hurts no other', async () => {
    addModel('opset_99');
    addModel('identity_fp32');
    await engine.loadModel('identity_fp32');
    await expect(engine.loadModel('opset_99')).rejects.toMatchObject({ reason: 'MODEL_UNSUPPORTED' });
    const { outputs } = await engine.infer(requestOf('identity_fp32', 'INPUT0', fp32([1, 2], 1, 2)));
    expect(outputs.get('OUTPUT0')).toEqual(fp32([1, 2], 1, 2));
  });

  it('O05, C04: shapes that cannot be batched or contradict the model are refused, naming the tensor', async () => {
    addModel('fixed_batch_1', 'max_batch_size: 4');
    await expect(engine.loadModel('fixed_batch_1')).rejects.toMatchObject({
      reason: 'CONFIG_MODEL_MISMATCH',
      message: expect.stringMatching(/'INPUT0'.*max_batch_size: 0/s),
    });
    addModel(
      'add_sub',
      'max_batch_size: 4 input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 17 ] }, { name: "INPUT1" data_type: TYPE_FP32 dims: [ 16 ] } ]',
    );
    await expect(engine.loadModel('add_sub')).rejects.toMatchObject({ reason: 'CONFIG_MODEL_MISMATCH' });
  });

  it('takes the versions that the policy wants, and asks the highest by default', async () => {
    addModel('identity_fp32', 'version_policy { latest { num_versions: 2 } }', ['1', '2', '10']);
    await engine.loadModel('identity_fp32');
    expect(engine.repositoryIndex().map(({ version }) => version)).toEqual([2n, 10n]);
    expect((await engine.infer(requestOf('identity_fp32', 'INPUT0', fp32([1, 1], 1)))).modelVersion).toBe(
      10n,
    );
    await expect(
      engine.infer({ ...requestOf('identity_fp32', 'INPUT0', fp32([1, 1], 1)), modelVersion: 1n }),
    ).rejects.toMatchObject({
      reason: 'MODEL_VERSION_NOT_FOUND',
      message: expect.stringContaining('ready are 2, 10'),
    });
  });

  it('a reload that fails leaves what was served, and says so', async () => {
    addModel('identity_fp32');
    await engine.loadModel('identity_fp32');
    writeFileSync(join(repository, 'identity_fp32', '1', 'model.onnx'), 'no model');
    await expect(engine.loadModel('identity_fp32')).rejects.toMatchObject({ reason: 'MODEL_FILE_INVALID' });
    expect(engine.repositoryIndex()).toEqual([
      {
        name: 'identity_fp32',
        version: 1n,
        state: 'READY',
        reason: expect.stringContaining('an earlier load is served'),
      },
    ]);
    await engine.infer(requestOf('identity_fp32', 'INPUT0', fp32([1, 1], 1)));
  });

  it('an unloaded model is not ready, and one that was never loaded is not found', async () => {
    addModel('identity_fp32');
    await engine.loadModel('identity_fp32');
    await engine.unloadModel('identity_fp32');
    const request = requestOf('identity_fp32', 'INPUT0', fp32([1, 1], 1));
    await expect(engine.infer(request)).rejects.toMatchObject({ reason: 'MODEL_NOT_READY' });
    await expect(engine.infer({ ...request, modelName: 'identity_fp3' })).rejects.toMatchObject({
      reason: 'MODEL_NOT_FOUND',
      message: expect.stringContaining("did you mean 'identity_fp32'?"),
    });
  });

  it('O07: nodes that give another result each time are told', async () => {
    addModel('dropout_train');
    await engine.loadModel('dropout_train');
    expect(notices.join()).toMatch(/dropout_train.*Dropout/is);
    expect(engine.findModel('dropout_train').facts.nondeterministicNodes).toHaveLength(1);
  });

  it('O08: loads and unloads under traffic', async () => {
    addModel('identity_fp32');
    addModel('add_sub');
    await engine.loadModel('add_sub');
    let stopped = false;
    const sum = {
      modelName: 'add_sub',
      inputs: new Map(['INPUT0', 'INPUT1'].map((name) => [name, fp32([1, 16], ...new Array(16).fill(1))])),
    };
    const traffic = (async () => {
      while (!stopped) {
        const { outputs } = await engine.infer(sum);
        expect(outputs.get('OUTPUT0')?.data[15]).toBe(2);
      }
    })();
    for (let cycle = 0; cycle < 10; cycle += 1) {
      await engine.loadModel('identity_fp32');
      await engine.infer(requestOf('identity_fp32', 'INPUT0', fp32([1, 1], cycle)));
      await engine.unloadModel('identity_fp32');
    }
    stopped = true;
    await traffic;
  });
});

describe('requests', () => {
  it('one that the runtime fails fails alone: those in its batch succeed', async () => {
    addModel('gather_row', `max_batch_size: 8 ${ONE_BATCH_OF_8}`);
    await engine.loadModel('gather_row');
    const indexes = [0, 1, 99, 3, 4, 5, 6, 7];
    const results = await Promise.allSettled(
      indexes.map((index) =>
        engine.infer(
          requestOf('gather_row', 'index', createTensor('INT64', [1, 1], BigInt64Array.of(BigInt(index)))),
        ),
      ),
    );
    expect(results.map(({ status }) => status === 'rejected')).toEqual(indexes.map((index) => index === 99));
    expect(results[2]).toMatchObject({ reason: { reason: 'EXECUTION_FAILED' } });
    // The whole, then halves, until the guilty one was alone.
    const { executionsByRows } = engine.modelStatistics('gather_row');
    expect([...executionsByRows].sort(([a], [b]) => b - a)).toEqual([
      [8, 1],
      [4, 2],
      [2, 2],
      [1, 2],
    ]);
  });

  it('D06: a model that mixes the rows of a batch answers nobody with the rows of others', async () => {
    addModel(
      'reduce_sum',
      'max_batch_size: 8 dynamic_batching { preferred_batch_size: [ 3 ] max_queue_delay_microseconds: 1000000 }',
    );
    await engine.loadModel('reduce_sum');
    const results = await Promise.allSettled(
      [1, 2, 3].map((value) =>
        engine.infer(requestOf('reduce_sum', 'x', fp32([1, 4], value, value, value, value))),
      ),
    );
    for (const result of results) {
      expect(result).toMatchObject({
        status: 'rejected',
        reason: {
          reason: 'OUTPUT_BATCH_MISMATCH',
          message: expect.stringMatching(/'y'.*leading dimension of 3, got 1/s),
        },
      });
    }
  });

  it('D06: each gets the outputs it asked for, with its own id', async () => {
    addModel('add_sub', 'max_batch_size: 8 dynamic_batching { }');
    await engine.loadModel('add_sub');
    const inputs = (a: number, b: number) =>
      new Map([
        ['INPUT0', fp32([1, 16], ...new Array(16).fill(a))],
        ['INPUT1', fp32([1, 16], ...new Array(16).fill(b))],
      ]);
    const [sum, both, difference] = await Promise.all([
      engine.infer({
        modelName: 'add_sub',
        id: 'a',
        inputs: inputs(1, 2),
        requestedOutputs: [{ name: 'OUTPUT0' }],
      }),
      engine.infer({ modelName: 'add_sub', id: 'b', inputs: inputs(3, 4) }),
      engine.infer({ modelName: 'add_sub', inputs: inputs(5, 9), requestedOutputs: [{ name: 'OUTPUT1' }] }),
    ]);
    expect([sum.id, [...sum.outputs.keys()], sum.outputs.get('OUTPUT0')?.data[0]]).toEqual([
      'a',
      ['OUTPUT0'],
      3,
    ]);
    expect([both.id, both.outputs.get('OUTPUT0')?.data[0], both.outputs.get('OUTPUT1')?.data[0]]).toEqual([
      'b',
      7,
      -1,
    ]);
    expect([
      difference.id,
      [...difference.outputs.keys()],
      difference.outputs.get('OUTPUT1')?.data[0],
    ]).toEqual([undefined, ['OUTPUT1'], -4]);
  });

  it('D05: those that were given up are not executed, and the others are right', async () => {
    addModel(
      'identity_fp32',
      'max_batch_size: 8 dynamic_batching { preferred_batch_size: [ 8 ] max_queue_delay_microseconds: 50000 }',
    );
    await engine.loadModel('identity_fp32');
    const giveUp = new AbortController();
    const gone = engine.infer(requestOf('identity_fp32', 'INPUT0', fp32([1, 1], 1)), giveUp.signal);
    const alive = engine.infer(requestOf('identity_fp32', 'INPUT0', fp32([1, 1], 2)));
    giveUp.abort();
    await expect(gone).rejects.toMatchObject({ reason: 'REQUEST_CANCELLED', code: 'CANCELLED' });
    expect((await alive).outputs.get('OUTPUT0')).toEqual(fp32([1, 1], 2));
    const statistics = engine.modelStatistics('identity_fp32');
    expect(statistics.executionsByRows).toEqual(new Map([[1, 1]]));
    expect(statistics.failureCounts).toEqual(new Map([['REQUEST_CANCELLED', 1]]));
  });

  it('O04: the same bits each time, alone and beside others, infinity kept as it is', async () => {
    addModel('fp16_overflow', 'max_batch_size: 8 dynamic_batching { }');
    await engine.loadModel('fp16_overflow');
    const row = (bits: number): InferenceRequest =>
      requestOf('fp16_overflow', 'INPUT0', createTensor('FP16', [1, 16], new Uint16Array(16).fill(bits)));
    const large = 0x63d0;
    const one = 0x3c00;
    const responses = await Promise.all(
      Array.from({ length: 200 }, (_, index) => engine.infer(row(index % 3 === 0 ? large : one))),
    );
    for (const [index, { outputs }] of responses.entries()) {
      expect(outputs.get('OUTPUT0')?.data[7]).toBe(index % 3 === 0 ? 0x7c00 : 0x5c00);
    }
  });

  it('O01: the tensor output of a model with a map is to be had, the map is refused with the way out', async () => {
    addModel('digits-zipmap');
    await engine.loadModel('digits-zipmap');
    const model = engine.findModel('digits-zipmap').facts.config;
    const [input] = model.inputs;
    const request = requestOf('digits-zipmap', input?.name ?? '', fp32([1, 64], ...new Array(64).fill(0)));
    expect([...(await engine.infer(request)).outputs.keys()]).toEqual(model.outputs.map(({ name }) => name));
    await expect(
      engine.infer({ ...request, requestedOutputs: [{ name: 'output_probability' }] }),
    ).rejects.toMatchObject({
      reason: expect.stringMatching(/OUTPUT_NOT_TENSOR/),
      message: expect.stringContaining('zipmap'),
    });
  });

  it('C07: labels only where classification is asked for; a label file that is not there is a load error', async () => {
    const output =
      'output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 3 ] label_filename: "labels.txt" } ]';
    addModel(
      'identity_fp32',
      `max_batch_size: 4 input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 3 ] } ] ${output}`,
    );
    await expect(engine.loadModel('identity_fp32')).rejects.toMatchObject({
      reason: 'CONFIG_INVALID',
      message: expect.stringContaining('labels.txt'),
    });
    writeFileSync(join(repository, 'identity_fp32', 'labels.txt'), 'cat\r\ndog\r\n\r\n');
    await engine.loadModel('identity_fp32');
    const request = requestOf('identity_fp32', 'INPUT0', fp32([1, 3], 0.25, 0.75, 0.5));
    expect((await engine.infer(request)).outputs.get('OUTPUT0')).toEqual(fp32([1, 3], 0.25, 0.75, 0.5));
    const classified = await engine.infer({
      ...request,
      requestedOutputs: [{ name: 'OUTPUT0', classificationCount: 9 }],
    });
    const classes = classified.outputs.get('OUTPUT0');
    expect(classes?.shape).toEqual([1, 3]);
    expect(classes?.datatype === 'BYTES' && classes.data.map((text) => Buffer.from(text).toString())).toEqual(
      ['0.750000:1:dog', '0.500000:2', '0.250000:0:cat'],
    );
  });

  it('larger ones are refused as Triton does, or divided where the config says so', async () => {
    addModel('identity_fp32', 'max_batch_size: 2');
    addModel(
      'identity_fp32',
      'max_batch_size: 2 parameters { key: "split_oversize" value { string_value: "true" } }',
      ['1'],
      'divided',
    );
    await Promise.all([engine.loadModel('identity_fp32'), engine.loadModel('divided')]);
    const five = fp32([5, 1], 1, 2, 3, 4, 5);
    await expect(engine.infer(requestOf('identity_fp32', 'INPUT0', five))).rejects.toMatchObject({
      reason: 'BATCH_TOO_LARGE',
      message: expect.stringContaining('must be <= 2'),
    });
    expect((await engine.infer(requestOf('divided', 'INPUT0', five))).outputs.get('OUTPUT0')).toEqual(five);
    expect(engine.modelStatistics('divided').executionsByRows).toEqual(
      new Map([
        [2, 2],
        [1, 1],
      ]),
    );
  });
});
