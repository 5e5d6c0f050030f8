import type { DynamicBatching, QueuePolicy } from '../model-config/model-config.ts';

const UNLIMITED: QueuePolicy = {
  timeoutAction: 'REJECT',
  defaultTimeoutMicroseconds: 0,
  allowTimeoutOverride: false,
  maxQueueSize: 0,
};

/** The policy for requests of a priority level. Without dynamic batching nothing is limited. */
export function policyOfLevel(batching: DynamicBatching | undefined, level: number): QueuePolicy {
  return batching?.priorityQueuePolicies.get(level) ?? batching?.defaultQueuePolicy ?? UNLIMITED;
}

/**
 * How long a request may wait; infinity for as long as it takes. A request may shorten the model's own limit, never
 * lengthen it, and only where the policy allows it. Unlike in Triton, its timeout also counts where the model has no
 * limit of its own.
 * @param requestedMicroseconds undefined or 0: the request does not ask for a limit.
 */
export function timeoutOf(policy: QueuePolicy, requestedMicroseconds: number | undefined): number {
  const own = policy.defaultTimeoutMicroseconds || Number.POSITIVE_INFINITY;
  const requested = (policy.allowTimeoutOverride && requestedMicroseconds) || Number.POSITIVE_INFINITY;
  return Math.min(own, requested);
}
