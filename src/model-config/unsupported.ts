import { MillraceError } from '../base/errors.ts';
import type { ModelConfigMessage } from './generated/model-config-message.ts';

/** Parts of Triton's ModelConfig that change what a model does and that Millrace does not have. */
const UNSUPPORTED: readonly {
  readonly field: string;
  readonly isUsed: (message: ModelConfigMessage) => boolean;
}[] = [
  { field: 'ensemble_scheduling', isUsed: (message) => message.ensemble_scheduling !== undefined },
  { field: 'sequence_batching', isUsed: (message) => message.sequence_batching !== undefined },
  { field: 'batch_input', isUsed: (message) => message.batch_input !== undefined },
  { field: 'batch_output', isUsed: (message) => message.batch_output !== undefined },
  { field: 'response_cache.enable', isUsed: (message) => message.response_cache?.enable === true },
  { field: 'model_warmup', isUsed: (message) => message.model_warmup !== undefined },
  {
    field: 'model_transaction_policy.decoupled',
    isUsed: (message) => message.model_transaction_policy?.decoupled === true,
  },
  { field: 'model_repository_agents', isUsed: (message) => message.model_repository_agents !== undefined },
  { field: 'model_operations', isUsed: (message) => message.model_operations !== undefined },
  {
    field: 'input.is_shape_tensor',
    isUsed: ({ input = [], output = [] }) =>
      [...input, ...output].some((tensor) => tensor.is_shape_tensor === true),
  },
  {
    field: 'input.allow_ragged_batch',
    isUsed: ({ input = [] }) => input.some((tensor) => tensor.allow_ragged_batch === true),
  },
  {
    field: 'instance_group.rate_limiter',
    isUsed: ({ instance_group = [] }) => instance_group.some((group) => group.rate_limiter !== undefined),
  },
  {
    field: 'instance_group.secondary_devices',
    isUsed: ({ instance_group = [] }) =>
      instance_group.some((group) => group.secondary_devices !== undefined),
  },
  {
    field: 'instance_group.passive',
    isUsed: ({ instance_group = [] }) => instance_group.some((group) => group.passive === true),
  },
];

/** @throws {MillraceError} CONFIG_UNSUPPORTED naming the first field that would be ignored. */
export function refuseUnsupported(message: ModelConfigMessage, modelName: string): void {
  const used = UNSUPPORTED.find(({ isUsed }) => isUsed(message));
  if (used !== undefined) {
    throw new MillraceError(
      'CONFIG_UNSUPPORTED',
      `config of model '${modelName}' uses '${used.field}', which Millrace does not have: remove it, or serve this model ` +
        'with Triton',
      { details: { model: modelName, field: used.field } },
    );
  }
}
