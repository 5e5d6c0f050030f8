import { MillraceError } from '../../base/errors.ts';
import type { Backend, InstanceSpec, ModelInstance } from '../backend.ts';
import { chooseProviders } from './execution-providers.ts';
import { inspectModel } from './inspect-model.ts';
import { createOnnxInstance } from './onnx-instance.ts';
import { createSessionOptions } from './session-options.ts';

/** ONNX models on ONNX Runtime, each instance in a thread of its own. */
export function createOnnxRuntimeBackend(): Backend {
  return {
    name: 'onnxruntime',
    platforms: ['onnxruntime_onnx'],
    defaultModelFilename: 'model.onnx',
    inspectModel,
    createInstance,
  };
}

/** KIND_AUTO takes the CPU where its GPU cannot be used; KIND_GPU fails. */
async function createInstance(spec: InstanceSpec): Promise<ModelInstance> {
  try {
    return await createOn(spec);
  } catch (error) {
    const mayFallBack = spec.group.kind === 'KIND_AUTO' && spec.gpu !== undefined;
    if (mayFallBack && error instanceof MillraceError && error.reason === 'PROVIDER_UNAVAILABLE') {
      return createOn({ ...spec, gpu: undefined });
    }
    throw error;
  }
}

async function createOn(spec: InstanceSpec): Promise<ModelInstance> {
  const choice = chooseProviders(spec);
  return createOnnxInstance({
    name: spec.name,
    device: choice.device,
    start: {
      modelPath: spec.modelPath,
      sessionOptions: createSessionOptions(spec, choice),
      inputNames: spec.config.inputs.map((input) => input.name),
    },
  });
}
