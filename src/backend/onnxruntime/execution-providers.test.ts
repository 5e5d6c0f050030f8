import { describe, expect, it, onTestFinished } from 'vitest';
import type { InstanceSpec } from '../backend.ts';
import { chooseProviders } from './execution-providers.ts';
import { createOnnxRuntimeBackend } from './onnxruntime-backend.ts';
import { fixturePath, planFixture } from './testing/fixture-models.ts';

const backend = createOnnxRuntimeBackend();
const GPU_GROUP = 'instance_group { kind: KIND_GPU gpus: [ 1 ] }';

const gpuAccelerators = (...names: string[]): string =>
  `optimization { execution_accelerators { ${names.map((name) => `gpu_execution_accelerator { name: "${name}" }`).join(' ')} } }`;

function plan(configText: string): Promise<InstanceSpec> {
  return planFixture(fixturePath('add_sub.onnx'), configText);
}

describe('chooseProviders', () => {
  it.each([
    ['', [{ name: 'cpu' }], 'cpu'],
    ['instance_group { kind: KIND_MODEL }', [{ name: 'cpu' }], 'cpu'],
    [gpuAccelerators('tensorrt'), [{ name: 'cpu' }], 'cpu'],
    [GPU_GROUP, [{ name: 'cuda', deviceId: 1 }], 'cuda:1'],
    [`${GPU_GROUP} ${gpuAccelerators('cuda')}`, [{ name: 'cuda', deviceId: 1 }], 'cuda:1'],
    [
      `${GPU_GROUP} ${gpuAccelerators('tensorrt')}`,
      [
        { name: 'tensorrt', deviceId: 1 },
        { name: 'cuda', deviceId: 1 },
      ],
      'tensorrt:1',
    ],
  ])('%s', async (configText, providers, device) => {
    expect(chooseProviders(await plan(configText))).toEqual({ providers, device });
  });

  it.each([
    [
      `${GPU_GROUP} ${gpuAccelerators('cuda', 'warp9')}`,
      'CONFIG_INVALID',
      "'warp9' of model 'fixture' is not known: expected one of 'tensorrt', 'cuda'",
    ],
    [
      'optimization { execution_accelerators { cpu_execution_accelerator { name: "abacus" } } }',
      'CONFIG_INVALID',
      "expected one of 'openvino'",
    ],
    [
      'optimization { execution_accelerators { cpu_execution_accelerator { name: "openvino" } } }',
      'PROVIDER_UNAVAILABLE',
      "'openvino', which is not in ONNX Runtime for Node",
    ],
    [
      `${GPU_GROUP} optimization { execution_accelerators { gpu_execution_accelerator { name: "tensorrt" parameters { key: "precision_mode" value: "FP16" } } } }`,
      'CONFIG_UNSUPPORTED',
      "parameters ('precision_mode')",
    ],
  ])('M06: %s is refused', async (configText, reason, problem) => {
    const spec = await plan(configText);
    await expect(backend.createInstance(spec)).rejects.toMatchObject({
      reason,
      message: expect.stringContaining(problem),
    });
  });
});

// The GPU build of ONNX Runtime is an extra install, which the machines that run the tests do not have.
describe('M06: a GPU provider that is not there', () => {
  it.each([
    ['CUDA', GPU_GROUP],
    ['TensorRT', `${GPU_GROUP} ${gpuAccelerators('tensorrt')}`],
    ['TensorRT', `${GPU_GROUP} ${gpuAccelerators('tensorrt', 'cuda')}`],
  ])('%s: KIND_GPU fails with the reason of the provider', async (provider, configText) => {
    await expect(backend.createInstance(await plan(configText))).rejects.toMatchObject({
      reason: 'PROVIDER_UNAVAILABLE',
      message: expect.stringMatching(
        new RegExp(`ExecutionProvider_${provider}: Failed to load shared library`, 'i'),
      ),
    });
  });

  it('KIND_AUTO takes the CPU and says so', async () => {
    const instance = await backend.createInstance({ ...(await plan('')), gpu: 0 });
    onTestFinished(() => instance.close());
    expect(instance.device).toBe('cpu');
  });
});
