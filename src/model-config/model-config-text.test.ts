import { describe, expect, it } from 'vitest';
import type { ModelConfigMessage } from './generated/model-config-message.ts';
import { parseModelConfig, printModelConfig } from './model-config-text.ts';

describe('parseModelConfig', () => {
  it('gives numbers, bigints, names and maps as the generated types say', () => {
    const message: ModelConfigMessage = parseModelConfig(
      `max_batch_size: 4 input { dims: [-1] data_type: 11 }
       dynamic_batching { max_queue_delay_microseconds: 7 priority_queue_policy { key: 1 value { max_queue_size: 2 } } }
       metric_tags { key: "team" value: "a" }`,
      'config.pbtxt',
    );
    expect(message).toEqual({
      max_batch_size: 4,
      input: [{ dims: [-1n], data_type: 'TYPE_FP32' }],
      dynamic_batching: {
        max_queue_delay_microseconds: 7n,
        priority_queue_policy: new Map([[1n, { max_queue_size: 2 }]]),
      },
      metric_tags: new Map([['team', 'a']]),
    });
    expect(parseModelConfig(printModelConfig(message), 'config.pbtxt')).toEqual(message);
  });

  it('C01: names the file', () => {
    expect(() => parseModelConfig('max_batch_size: x', '/models/demo/config.pbtxt')).toThrow(
      "/models/demo/config.pbtxt:1:17 in 'max_batch_size': expected an integer, got 'x'",
    );
  });
});
