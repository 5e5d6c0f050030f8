import { MillraceError } from '../base/errors.ts';
import type { ModelConfigMessage } from './generated/model-config-message.ts';

type FindUse = (message: ModelConfigMessage) => string | undefined;

/**
 * Parts of Triton's ModelConfig that change what a model does and that Millrace does not have. What only tunes Triton's
 * own memory, metrics or host (pinned memory, metric_tags, host_policy, optimization.priority ...) is accepted.
 */
const UNSUPPORTED: readonly FindUse[] = [
  inMessage('ensemble_scheduling', (message) => message.ensemble_scheduling !== undefined),
  inMessage('sequence_batching', (message) => message.sequence_batching !== undefined),
  inMessage('batch_input', (message) => message.batch_input !== undefined),
  inMessage('batch_output', (message) => message.batch_output !== undefined),
  inMessage('response_cache.enable', (message) => message.response_cache?.enable === true),
  inMessage('model_warmup', (message) => message.model_warmup !== undefined),
  inMessage(
    'model_transaction_policy.decoupled',
    (message) => message.model_transaction_policy?.decoupled === true,
  ),
  inMessage('model_repository_agents', (message) => message.model_repository_agents !== undefined),
  inMessage('model_operations', (message) => message.model_operations !== undefined),
  inMessage('cc_model_filenames', (message) => message.cc_model_filenames !== undefined),
  inList('input', 'allow_ragged_batch', (tensor) => tensor.allow_ragged_batch === true),
  inList('input', 'is_shape_tensor', (tensor) => tensor.is_shape_tensor === true),
  inList('output', 'is_shape_tensor', (tensor) => tensor.is_shape_tensor === true),
  inList('input', 'is_non_linear_format_io', (tensor) => tensor.is_non_linear_format_io === true),
  inList('output', 'is_non_linear_format_io', (tensor) => tensor.is_non_linear_format_io === true),
  inList('instance_group', 'rate_limiter', (group) => group.rate_limiter !== undefined),
  inList('instance_group', 'secondary_devices', (group) => group.secondary_devices !== undefined),
  inList('instance_group', 'profile', (group) => group.profile !== undefined),
  inList('instance_group', 'passive', (group) => group.passive === true),
];

/** @throws {MillraceError} CONFIG_UNSUPPORTED naming the first field that would be ignored. */
export function refuseUnsupported(message: ModelConfigMessage, modelName: string): void {
  for (const findUse of UNSUPPORTED) {
    const field = findUse(message);
    if (field !== undefined) {
      throw new MillraceError(
        'CONFIG_UNSUPPORTED',
        `config of model '${modelName}' uses '${field}', which Millrace does not have: remove it, or serve this model ` +
          'with Triton',
        { details: { model: modelName, field } },
      );
    }
  }
}

function inMessage(field: string, isUsed: (message: ModelConfigMessage) => boolean): FindUse {
  return (message) => (isUsed(message) ? field : undefined);
}

type Lists = Required<Pick<ModelConfigMessage, 'input' | 'output' | 'instance_group'>>;

function inList<L extends keyof Lists>(
  list: L,
  field: string,
  isUsed: (element: Lists[L][number]) => boolean,
): FindUse {
  return (message) => {
    const elements: readonly Lists[L][number][] = message[list] ?? [];
    const index = elements.findIndex(isUsed);
    return index === -1 ? undefined : `${list}[${index}].${field}`;
  };
}
