import { describe, expect, it } from 'vitest';
import { outcomeOf, resolveText } from './testing/load-config.ts';

describe('what Triton has and Millrace has not', () => {
  it.each([
    ['ensemble_scheduling { }', 'ensemble_scheduling'],
    ['sequence_batching { }', 'sequence_batching'],
    ['batch_input { }', 'batch_input'],
    ['batch_output { }', 'batch_output'],
    ['response_cache { enable: true }', 'response_cache.enable'],
    ['model_warmup { }', 'model_warmup'],
    ['model_transaction_policy { decoupled: true }', 'model_transaction_policy.decoupled'],
    ['model_repository_agents { }', 'model_repository_agents'],
    ['model_operations { }', 'model_operations'],
    ['cc_model_filenames { key: "8.0" value: "a.onnx" }', 'cc_model_filenames'],
    ['input { } input { allow_ragged_batch: true }', 'input[1].allow_ragged_batch'],
    ['input { is_shape_tensor: true }', 'input[0].is_shape_tensor'],
    ['output { is_shape_tensor: true }', 'output[0].is_shape_tensor'],
    ['input { is_non_linear_format_io: true }', 'input[0].is_non_linear_format_io'],
    ['output { is_non_linear_format_io: true }', 'output[0].is_non_linear_format_io'],
    ['instance_group { rate_limiter { } }', 'instance_group[0].rate_limiter'],
    ['instance_group { secondary_devices { } }', 'instance_group[0].secondary_devices'],
    ['instance_group { profile: "1" }', 'instance_group[0].profile'],
    ['instance_group { } instance_group { passive: true }', 'instance_group[1].passive'],
  ])('refuses %s', (text, field) => {
    expect(outcomeOf(() => resolveText(text))).toContain(
      `CONFIG_UNSUPPORTED config of model 'demo' uses '${field}'`,
    );
  });

  it.each([
    'response_cache { enable: false }',
    'model_transaction_policy { decoupled: false }',
    'metric_tags { key: "team" value: "a" }',
    'model_metrics { }',
    'optimization { priority: PRIORITY_MAX input_pinned_memory { enable: true } eager_batching: true cuda { graphs: true } }',
    'instance_group { host_policy: "numa0" passive: false }',
    'runtime: "libtriton_onnxruntime.so"',
  ])('accepts %s, which changes no result', (text) => {
    expect(outcomeOf(() => resolveText(text))).toBe('accepted');
  });
});
