import { MillraceError } from '../base/errors.ts';
import type { ModelDynamicBatching, ModelQueuePolicy } from './generated/model-config-message.ts';
import type { DynamicBatching, QueuePolicy } from './model-config.ts';

/** More would be a slip, and each level is a queue of its own. */
const MAX_PRIORITY_LEVELS = 1_000_000n;

/**
 * The dynamic batcher's settings with Triton's defaults.
 * @throws {MillraceError} CONFIG_INVALID naming the field.
 */
export function resolveDynamicBatching(
  message: ModelDynamicBatching | undefined,
  maxBatchSize: number,
  modelName: string,
): DynamicBatching | undefined {
  if (message === undefined) {
    return undefined;
  }
  const fail = (problem: string): MillraceError =>
    new MillraceError('CONFIG_INVALID', `config of model '${modelName}': dynamic_batching.${problem}`, {
      details: { model: modelName },
    });
  const preferred = [...new Set(message.preferred_batch_size ?? [])].sort((a, b) => a - b);
  for (const size of preferred) {
    if (size <= 0 || size > Math.max(1, maxBatchSize)) {
      throw fail(`preferred_batch_size ${size} must be from 1 to max_batch_size, which is ${maxBatchSize}`);
    }
  }
  const levels = message.priority_levels ?? 0n;
  const defaultLevel = message.default_priority_level ?? 0n;
  if (levels > MAX_PRIORITY_LEVELS) {
    throw fail(`priority_levels must be at most ${MAX_PRIORITY_LEVELS}, got ${levels}`);
  }
  if (levels > 0n && (defaultLevel < 1n || defaultLevel > levels)) {
    throw fail(
      `default_priority_level must be from 1 to priority_levels, which is ${levels}, got ${defaultLevel}`,
    );
  }
  const priorityPolicies = new Map<number, QueuePolicy>();
  for (const [level, policy] of message.priority_queue_policy ?? []) {
    if (level < 1n || level > levels) {
      throw fail(
        `priority_queue_policy has level ${level}, expected 1 to priority_levels, which is ${levels}`,
      );
    }
    priorityPolicies.set(Number(level), resolveQueuePolicy(policy));
  }
  if (message.preserve_ordering === true && levels > 0n) {
    throw fail('preserve_ordering does not go with priority_levels: priorities are a change of order');
  }
  return {
    preferredBatchSizes: preferred,
    maxQueueDelayMicroseconds: Number(message.max_queue_delay_microseconds ?? 0n),
    preserveOrdering: message.preserve_ordering ?? false,
    priorityLevels: Number(levels),
    defaultPriorityLevel: Number(defaultLevel),
    defaultQueuePolicy: resolveQueuePolicy(message.default_queue_policy ?? {}),
    priorityQueuePolicies: priorityPolicies,
  };
}

function resolveQueuePolicy(policy: ModelQueuePolicy): QueuePolicy {
  return {
    timeoutAction: policy.timeout_action === 'DELAY' ? 'DELAY' : 'REJECT',
    defaultTimeoutMicroseconds: Number(policy.default_timeout_microseconds ?? 0n),
    allowTimeoutOverride: policy.allow_timeout_override ?? false,
    maxQueueSize: policy.max_queue_size ?? 0,
  };
}
