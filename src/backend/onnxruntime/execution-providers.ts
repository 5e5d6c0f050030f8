import { MillraceError } from '../../base/errors.ts';
import { quoteNames } from '../../base/nearest-names.ts';
import type { ExecutionAccelerator } from '../../model-config/model-config.ts';
import type { InstanceSpec } from '../backend.ts';

/** A provider as session options name it. */
interface Provider {
  readonly name: string;
  readonly deviceId?: number;
}

/** Where an instance computes. */
export interface ProviderChoice {
  /** In order of preference; ONNX Runtime fails when one of them cannot start, instead of going on without it. */
  readonly providers: readonly Provider[];
  /** `cpu`, `cuda:0`, `tensorrt:1`. */
  readonly device: string;
}

/** Triton's names for `gpu_execution_accelerator`; CUDA takes what TensorRT leaves. */
const GPU_ACCELERATORS = ['tensorrt', 'cuda'];
/** Triton's names for `cpu_execution_accelerator`; none is in ONNX Runtime for Node. */
const CPU_ACCELERATORS = ['openvino'];

/**
 * The execution providers that config and plan ask for: CUDA on a GPU, after those that `execution_accelerators`
 * names, else the CPU.
 * @throws {MillraceError} CONFIG_INVALID for an accelerator that nobody knows; CONFIG_UNSUPPORTED for one with
 *   parameters, which the Node binding has no way to pass on; PROVIDER_UNAVAILABLE for one that is not in ONNX Runtime
 *   for Node.
 */
export function chooseProviders({ config, gpu, name }: InstanceSpec): ProviderChoice {
  const { gpuExecutionAccelerators, cpuExecutionAccelerators } = config.optimization;
  if (gpu === undefined) {
    const [accelerator] = cpuExecutionAccelerators;
    if (accelerator !== undefined) {
      checkAccelerator(config.name, 'cpu', accelerator, CPU_ACCELERATORS);
      throw new MillraceError(
        'PROVIDER_UNAVAILABLE',
        `model instance '${name}' asks for cpu_execution_accelerator '${accelerator.name}', which is not in ONNX ` +
          'Runtime for Node: remove it to run on the CPU provider',
      );
    }
    return { providers: [{ name: 'cpu' }], device: 'cpu' };
  }
  for (const accelerator of gpuExecutionAccelerators) {
    checkAccelerator(config.name, 'gpu', accelerator, GPU_ACCELERATORS);
  }
  const names = new Set([...gpuExecutionAccelerators.map((accelerator) => accelerator.name), 'cuda']);
  const [first] = names;
  return {
    providers: [...names].map((provider) => ({ name: provider, deviceId: gpu })),
    device: `${first}:${gpu}`,
  };
}

function checkAccelerator(
  modelName: string,
  kind: 'cpu' | 'gpu',
  { name, parameters }: ExecutionAccelerator,
  known: readonly string[],
): void {
  const what = `${kind}_execution_accelerator '${name}' of model '${modelName}'`;
  if (!known.includes(name)) {
    throw new MillraceError('CONFIG_INVALID', `${what} is not known: expected one of ${quoteNames(known)}`);
  }
  if (parameters.size > 0) {
    throw new MillraceError(
      'CONFIG_UNSUPPORTED',
      `${what} has parameters (${quoteNames([...parameters.keys()])}), which ONNX Runtime for Node does not take`,
    );
  }
}
