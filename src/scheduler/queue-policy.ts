import type { DynamicBatching, QueuePolicy } from '../model-config/model-config.ts';

const UNLIMITED: QueuePolicy = {
  timeoutAction: 'REJECT',
  defaultTimeoutMicroseconds: 0,
  allowTimeoutOverride: false,
  maxQueueSize: 0,
};

/** The policy for requests of a priority level; of a model without dynamic batching there is none. */
export function policyOfLevel(batching: DynamicBatching | undefined, level: number): QueuePolicy {
  return batching?.priorityQueuePolicies.get(level) ?? batching?.defaultQueuePolicy ?? UNLIMITED;
}

/**
 * How long a request may wait; infinity for as long as it takes. A request may only shorten the model's own limit, and
 * only where the policy allows it. Unlike Triton's, its timeout also counts where the model has no limit of its own.
 */
export function timeoutOf(policy: QueuePolicy, requestedMicroseconds: number | undefined): number {
  const own = policy.defaultTimeoutMicroseconds || Number.POSITIVE_INFINITY;
  const requested = (policy.allowTimeoutOverride && requestedMicroseconds) || Number.POSITIVE_INFINITY;
  return Math.min(own, requested);
}
