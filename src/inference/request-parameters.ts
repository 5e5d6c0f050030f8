import { MillraceError } from '../base/errors.ts';
import type { ModelConfig } from '../model-config/model-config.ts';
import type { InferenceRequest } from './request.ts';

/** @throws {MillraceError} PARAMETER_INVALID unless `value` is an integer of at least 0 that a number holds exactly. */
export function checkWholeParameter(parameter: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new MillraceError(
      'PARAMETER_INVALID',
      `parameter '${parameter}' must be a whole number of at least 0, got ${value}`,
      { details: { parameter, found: value } },
    );
  }
}

/**
 * The priority of a request: its own, or the model's default when it has none or one that the model does not know, as in
 * Triton; 0 for a model without priorities.
 * @throws {MillraceError} PARAMETER_INVALID when it is no whole number of at least 0.
 * @see https://github.com/triton-inference-server/server/blob/main/docs/protocol/extension_schedule_policy.md
 */
export function choosePriority({ priority = 0 }: InferenceRequest, config: ModelConfig): number {
  checkWholeParameter('priority', priority);
  const batching = config.dynamicBatching;
  if (batching === undefined || batching.priorityLevels === 0) {
    return 0;
  }
  return priority === 0 || priority > batching.priorityLevels ? batching.defaultPriorityLevel : priority;
}
