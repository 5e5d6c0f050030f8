import { createConfigError } from './config-error.ts';
import type { ModelDynamicBatching, ModelQueuePolicy } from './generated/model-config-message.ts';
import type { DynamicBatching, QueuePolicy } from './model-config.ts';

/** More would be a slip, and each level is a queue of its own. */
const MAX_PRIORITY_LEVELS = 1_000_000n;

/**
 * The dynamic batcher's settings with Triton's defaults and by its rules.
 * @throws {MillraceError} CONFIG_INVALID naming the field.
 * @see https://github.com/triton-inference-server/core/blob/main/src/model_config_utils.cc (ValidateModelConfig)
 */
export function resolveDynamicBatching(
  message: ModelDynamicBatching | undefined,
  maxBatchSize: number,
  modelName: string,
): DynamicBatching | undefined {
  if (message === undefined) {
    return undefined;
  }
  const levels = message.priority_levels ?? 0n;
  if (levels > MAX_PRIORITY_LEVELS) {
    throw createConfigError(
      modelName,
      `dynamic_batching.priority_levels must be at most ${MAX_PRIORITY_LEVELS}, got ${levels}`,
    );
  }
  const resolved: DynamicBatching = {
    preferredBatchSizes: resolvePreferredSizes(message.preferred_batch_size ?? [], maxBatchSize, modelName),
    maxQueueDelayMicroseconds: Number(message.max_queue_delay_microseconds ?? 0n),
    preserveOrdering: message.preserve_ordering ?? false,
    priorityLevels: Number(levels),
    defaultPriorityLevel: levels > 0n ? resolveDefaultLevel(message, levels, modelName) : 0,
    defaultQueuePolicy: resolveQueuePolicy(
      message.default_queue_policy ?? {},
      'dynamic_batching.default_queue_policy',
      modelName,
    ),
    priorityQueuePolicies: levels > 0n ? resolvePriorityPolicies(message, levels, modelName) : new Map(),
  };
  if (resolved.preserveOrdering) {
    refuseReordering(resolved, modelName);
  }
  return resolved;
}

function resolvePreferredSizes(
  sizes: readonly number[],
  maxBatchSize: number,
  modelName: string,
): readonly number[] {
  const wrong = sizes.find((size) => size <= 0 || size > maxBatchSize);
  if (wrong !== undefined) {
    throw createConfigError(
      modelName,
      `dynamic_batching.preferred_batch_size must be from 1 to max_batch_size, which is ${maxBatchSize}, got ${wrong}`,
    );
  }
  return [...new Set(sizes)].sort((a, b) => a - b);
}

function resolveDefaultLevel(message: ModelDynamicBatching, levels: bigint, modelName: string): number {
  const level = message.default_priority_level ?? 0n;
  if (level < 1n || level > levels) {
    throw createConfigError(
      modelName,
      `dynamic_batching.default_priority_level must be from 1 to priority_levels, which is ${levels}, got ${level}`,
    );
  }
  return Number(level);
}

function resolvePriorityPolicies(
  message: ModelDynamicBatching,
  levels: bigint,
  modelName: string,
): ReadonlyMap<number, QueuePolicy> {
  const policies = new Map<number, QueuePolicy>();
  for (const [level, policy] of message.priority_queue_policy ?? []) {
    if (level < 1n || level > levels) {
      throw createConfigError(
        modelName,
        `dynamic_batching.priority_queue_policy must have keys from 1 to priority_levels, which is ${levels}, got ${level}`,
      );
    }
    const field = `dynamic_batching.priority_queue_policy[${level}]`;
    policies.set(Number(level), resolveQueuePolicy(policy, field, modelName));
  }
  return policies;
}

function resolveQueuePolicy(policy: ModelQueuePolicy, field: string, modelName: string): QueuePolicy {
  const timeoutAction = policy.timeout_action ?? 'REJECT';
  if (timeoutAction !== 'REJECT' && timeoutAction !== 'DELAY') {
    throw createConfigError(
      modelName,
      `${field}.timeout_action must be REJECT or DELAY, got ${timeoutAction}`,
    );
  }
  return {
    timeoutAction,
    defaultTimeoutMicroseconds: Number(policy.default_timeout_microseconds ?? 0n),
    allowTimeoutOverride: policy.allow_timeout_override ?? false,
    maxQueueSize: policy.max_queue_size ?? 0,
  };
}

function refuseReordering(batching: DynamicBatching, modelName: string): void {
  if (batching.priorityLevels > 1) {
    throw createConfigError(
      modelName,
      `dynamic_batching.preserve_ordering takes at most 1 priority level, got priority_levels ${batching.priorityLevels}`,
    );
  }
  const policies = [batching.defaultQueuePolicy, ...batching.priorityQueuePolicies.values()];
  if (policies.some((policy) => policy.timeoutAction === 'DELAY' && policy.defaultTimeoutMicroseconds > 0)) {
    throw createConfigError(
      modelName,
      'dynamic_batching.preserve_ordering does not go with a queue policy of timeout_action DELAY, which moves late ' +
        'requests behind others',
    );
  }
}
