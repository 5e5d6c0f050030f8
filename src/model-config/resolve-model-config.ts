import { MillraceError } from '../base/errors.ts';
import type { ModelConfigMessage } from './generated/model-config-message.ts';
import type { ExecutionAccelerator, InstanceGroup, ModelConfig, Optimization } from './model-config.ts';
import { resolveDynamicBatching } from './resolve-dynamic-batching.ts';
import { resolveInputs, resolveOutputs } from './resolve-tensors.ts';
import { refuseUnsupported } from './unsupported.ts';
import { resolveVersionPolicy } from './version-policy.ts';

/** Facts beside the message that the checks need. */
export interface ConfigContext {
  /** The model's folder, which its name must be. */
  readonly modelName: string;
  readonly backend: { readonly name: string; readonly platforms: readonly string[] };
  readonly defaultModelFilename: string;
  /** Text of each label file that the message names; undefined for one that is not there. */
  readonly labelFiles: ReadonlyMap<string, string | undefined>;
}

/**
 * The configuration that a complete message means.
 * @throws {MillraceError} CONFIG_INVALID naming the field; CONFIG_UNSUPPORTED for what Triton has and Millrace has not.
 */
export function resolveModelConfig(message: ModelConfigMessage, context: ConfigContext): ModelConfig {
  const { modelName, backend } = context;
  if (message.name !== undefined && message.name !== modelName) {
    throw invalid(
      modelName,
      `name is '${message.name}', but the model's folder is '${modelName}': they must be equal`,
    );
  }
  if (message.platform !== undefined && !backend.platforms.includes(message.platform)) {
    throw invalid(
      modelName,
      `platform '${message.platform}' does not go with backend '${backend.name}', expected '${backend.platforms.join("' or '")}'`,
    );
  }
  refuseUnsupported(message, modelName);
  const maxBatchSize = message.max_batch_size ?? 0;
  if (maxBatchSize < 0) {
    throw invalid(modelName, `max_batch_size must be at least 0, got ${maxBatchSize}`);
  }
  return {
    name: modelName,
    backend: backend.name,
    maxBatchSize,
    versionPolicy: resolveVersionPolicy(message),
    inputs: resolveInputs(message.input ?? [], modelName),
    outputs: resolveOutputs(message.output ?? [], modelName, context.labelFiles),
    dynamicBatching: resolveDynamicBatching(message.dynamic_batching, maxBatchSize, modelName),
    instanceGroups: (message.instance_group ?? []).map((group, index) =>
      resolveInstanceGroup(group, index, modelName),
    ),
    optimization: resolveOptimization(message),
    parameters: new Map(
      [...(message.parameters ?? [])].map(([key, value]) => [key, value.string_value ?? '']),
    ),
    modelFilename: message.default_model_filename ?? context.defaultModelFilename,
    message,
  };
}

const KINDS = ['KIND_AUTO', 'KIND_CPU', 'KIND_GPU', 'KIND_MODEL'] as const;

function resolveInstanceGroup(
  group: NonNullable<ModelConfigMessage['instance_group']>[number],
  index: number,
  modelName: string,
): InstanceGroup {
  const where = `instance_group[${index}]`;
  const kind = KINDS.find((known) => known === (group.kind ?? 'KIND_AUTO'));
  if (kind === undefined) {
    throw invalid(modelName, `${where}.kind ${group.kind} is not known`);
  }
  const count = group.count ?? 0;
  if (count < 0) {
    throw invalid(modelName, `${where}.count must be at least 0, got ${count}`);
  }
  const gpus = group.gpus ?? [];
  if (gpus.some((gpu) => gpu < 0)) {
    throw invalid(modelName, `${where}.gpus must be at least 0, got [${gpus.join(', ')}]`);
  }
  if (gpus.length > 0 && (kind === 'KIND_CPU' || kind === 'KIND_MODEL')) {
    throw invalid(modelName, `${where} has kind ${kind}, which takes no gpus, got [${gpus.join(', ')}]`);
  }
  return { name: group.name ?? `${modelName}_${index}`, kind, count, gpus };
}

function resolveOptimization({ optimization }: ModelConfigMessage): Optimization {
  const accelerators = optimization?.execution_accelerators;
  return {
    graphLevel: optimization?.graph === undefined ? undefined : (optimization.graph.level ?? 0),
    gpuExecutionAccelerators: (accelerators?.gpu_execution_accelerator ?? []).map(resolveAccelerator),
    cpuExecutionAccelerators: (accelerators?.cpu_execution_accelerator ?? []).map(resolveAccelerator),
  };
}

function resolveAccelerator(accelerator: {
  readonly name?: string;
  readonly parameters?: ReadonlyMap<string, string>;
}): ExecutionAccelerator {
  return { name: accelerator.name ?? '', parameters: accelerator.parameters ?? new Map() };
}

function invalid(modelName: string, problem: string): MillraceError {
  return new MillraceError('CONFIG_INVALID', `config of model '${modelName}': ${problem}`, {
    details: { model: modelName },
  });
}
