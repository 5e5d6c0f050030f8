import { describe, expect, it } from 'vitest';
import { loadText, outcomeOf, resolveText, signatureOf } from './testing/load-config.ts';

describe('D02: dynamic_batching', () => {
  const batching = (fields: string, max = 8) => `max_batch_size: ${max} dynamic_batching { ${fields} }`;

  it.each([
    [
      batching('preferred_batch_size: [4, 9]'),
      'dynamic_batching.preferred_batch_size must be from 1 to max_batch_size, which is 8, got 9',
    ],
    [batching('preferred_batch_size: 0'), 'got 0'],
    [batching('preferred_batch_size: -1'), 'got -1'],
    [batching('preferred_batch_size: 1', 0), 'which is 0, got 1'],
    [
      batching('priority_levels: 2'),
      'dynamic_batching.default_priority_level must be from 1 to priority_levels, which is 2, got 0',
    ],
    [batching('priority_levels: 2 default_priority_level: 3'), 'got 3'],
    [batching('priority_levels: 18446744073709551615'), 'priority_levels must be at most 1000000'],
    [
      batching('priority_levels: 2 default_priority_level: 1 priority_queue_policy { key: 3 }'),
      'dynamic_batching.priority_queue_policy must have keys from 1 to priority_levels, which is 2, got 3',
    ],
    [batching('priority_levels: 2 default_priority_level: 1 priority_queue_policy { }'), 'got 0'],
    [
      batching('default_queue_policy { timeout_action: 7 }'),
      'dynamic_batching.default_queue_policy.timeout_action must be REJECT or DELAY, got 7',
    ],
    [
      batching(
        'priority_levels: 1 default_priority_level: 1 priority_queue_policy { key: 1 value { timeout_action: 7 } }',
      ),
      'dynamic_batching.priority_queue_policy[1].timeout_action',
    ],
    [
      batching('preserve_ordering: true priority_levels: 2 default_priority_level: 1'),
      'takes at most 1 priority level',
    ],
    [
      batching(
        'preserve_ordering: true default_queue_policy { timeout_action: DELAY default_timeout_microseconds: 1 }',
      ),
      'does not go with a queue policy of timeout_action DELAY',
    ],
  ])('refuses %s', (text, message) => {
    expect(outcomeOf(() => resolveText(text))).toContain('CONFIG_INVALID');
    expect(outcomeOf(() => resolveText(text))).toContain(message);
  });

  it.each([
    batching(''),
    batching('', 0),
    batching('preferred_batch_size: [1, 8]'),
    batching('preserve_ordering: true priority_levels: 1 default_priority_level: 1'),
    batching('preserve_ordering: true default_queue_policy { timeout_action: DELAY }'),
    batching('default_priority_level: 5 priority_queue_policy { key: 9 }'),
  ])('accepts %s, as Triton does', (text) => {
    expect(outcomeOf(() => resolveText(text))).toBe('accepted');
  });

  it('D02: the preferred size is held against a max_batch_size that auto-complete filled in', () => {
    const model = signatureOf([-1, 4], [-1, 2]);
    expect(() => loadText('dynamic_batching { preferred_batch_size: 8 }', model, 4)).toThrow(
      'which is 4, got 8',
    );
    expect(loadText('dynamic_batching { preferred_batch_size: 8 }', model, 8).maxBatchSize).toBe(8);
  });
});
