import { createConfigError } from './config-error.ts';
import type { ModelConfigMessage } from './generated/model-config-message.ts';
import type { ModelConfig } from './model-config.ts';
import { resolveDynamicBatching } from './resolve-dynamic-batching.ts';
import { resolveInstanceGroups, resolveOptimization } from './resolve-instances.ts';
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
  checkIdentity(message, context);
  refuseUnsupported(message, modelName);
  const maxBatchSize = message.max_batch_size ?? 0;
  if (maxBatchSize < 0) {
    throw createConfigError(modelName, `max_batch_size must be at least 0, got ${maxBatchSize}`);
  }
  return {
    name: modelName,
    backend: backend.name,
    maxBatchSize,
    versionPolicy: resolveVersionPolicy(message),
    inputs: resolveInputs(message.input ?? [], modelName),
    outputs: resolveOutputs(message.output ?? [], modelName, context.labelFiles),
    dynamicBatching: resolveDynamicBatching(message.dynamic_batching, maxBatchSize, modelName),
    instanceGroups: resolveInstanceGroups(message.instance_group ?? [], modelName),
    optimization: resolveOptimization(message),
    parameters: new Map(
      [...(message.parameters ?? [])].map(([key, value]) => [key, value.string_value ?? '']),
    ),
    modelFilename: message.default_model_filename ?? context.defaultModelFilename,
    message,
  };
}

function checkIdentity(message: ModelConfigMessage, { modelName, backend }: ConfigContext): void {
  if (message.name !== undefined && message.name !== modelName) {
    throw createConfigError(
      modelName,
      `name is '${message.name}', but the model's folder is '${modelName}': they must be equal`,
    );
  }
  if (message.backend !== undefined && message.backend !== backend.name) {
    throw createConfigError(modelName, `backend must be '${backend.name}', got '${message.backend}'`);
  }
  if (message.platform !== undefined && !backend.platforms.includes(message.platform)) {
    throw createConfigError(
      modelName,
      `platform must be '${backend.platforms.join("' or '")}' for backend '${backend.name}', got '${message.platform}'`,
    );
  }
}
