import { describe, expect, it } from 'vitest';
import { outcomeOf, resolveText } from './testing/load-config.ts';

const X = 'input { name: "x" data_type: TYPE_FP32 dims: 4 }';

describe('resolveModelConfig', () => {
  it('gives every part its default', () => {
    const config = resolveText(X);
    expect(config).toMatchObject({
      name: 'demo',
      backend: 'onnxruntime',
      maxBatchSize: 0,
      versionPolicy: { kind: 'latest', count: 1 },
      inputs: [
        {
          name: 'x',
          datatype: 'FP32',
          dims: [4],
          reshape: undefined,
          optional: false,
          allowRaggedBatch: false,
        },
      ],
      outputs: [],
      dynamicBatching: undefined,
      instanceGroups: [],
      optimization: { graphLevel: undefined, gpuExecutionAccelerators: [], cpuExecutionAccelerators: [] },
      modelFilename: 'model.onnx',
    });
    expect(config.parameters).toEqual(new Map());
    expect(config.message.input).toHaveLength(1);
  });

  it('carries over what the config says', () => {
    const config = resolveText(
      `
      name: "demo" platform: "onnxruntime_onnx" backend: "onnxruntime" max_batch_size: 16
      default_model_filename: "net.onnx"
      version_policy { specific { versions: [3, 1] } }
      output { name: "y" data_type: TYPE_STRING dims: [-1, 2] reshape { shape: [-1, 1, 2] } label_filename: "l.txt" }
      dynamic_batching {
        preferred_batch_size: [8, 4, 8] max_queue_delay_microseconds: 100
        priority_levels: 3 default_priority_level: 2
        default_queue_policy { timeout_action: DELAY default_timeout_microseconds: 5 max_queue_size: 6 }
        priority_queue_policy { key: 3 value { allow_timeout_override: true } }
      }
      instance_group [ { count: 2 kind: KIND_CPU }, { name: "gpu" kind: KIND_GPU gpus: [0, 1] } ]
      optimization { graph { } execution_accelerators { gpu_execution_accelerator { name: "tensorrt" parameters { key: "a" value: "b" } } } }
      parameters { key: "k" value { string_value: "v" } } parameters { key: "none" value { } }`,
      new Map([['l.txt', 'a\nb\n']]),
    );
    expect(config).toMatchObject({
      maxBatchSize: 16,
      modelFilename: 'net.onnx',
      versionPolicy: { kind: 'specific', versions: [3n, 1n] },
      outputs: [{ name: 'y', datatype: 'BYTES', dims: [-1, 2], reshape: [-1, 1, 2], labels: ['a', 'b'] }],
      dynamicBatching: {
        preferredBatchSizes: [4, 8],
        maxQueueDelayMicroseconds: 100,
        preserveOrdering: false,
        priorityLevels: 3,
        defaultPriorityLevel: 2,
        defaultQueuePolicy: {
          timeoutAction: 'DELAY',
          defaultTimeoutMicroseconds: 5,
          allowTimeoutOverride: false,
          maxQueueSize: 6,
        },
      },
      instanceGroups: [
        { name: 'demo_0', kind: 'KIND_CPU', count: 2, gpus: [] },
        { name: 'gpu', kind: 'KIND_GPU', count: 0, gpus: [0, 1] },
      ],
      optimization: {
        graphLevel: 0,
        gpuExecutionAccelerators: [{ name: 'tensorrt', parameters: new Map([['a', 'b']]) }],
      },
    });
    expect(config.parameters).toEqual(
      new Map([
        ['k', 'v'],
        ['none', ''],
      ]),
    );
    expect(config.dynamicBatching?.priorityQueuePolicies).toEqual(
      new Map([
        [
          3,
          {
            timeoutAction: 'REJECT',
            defaultTimeoutMicroseconds: 0,
            allowTimeoutOverride: true,
            maxQueueSize: 0,
          },
        ],
      ]),
    );
  });

  it('reads version policies', () => {
    expect(resolveText('version_policy { all { } }').versionPolicy).toEqual({ kind: 'all' });
    expect(resolveText('version_policy { latest { num_versions: 3 } }').versionPolicy).toEqual({
      kind: 'latest',
      count: 3,
    });
    expect(resolveText('version_policy { latest { } }').versionPolicy).toEqual({ kind: 'latest', count: 1 });
    expect(resolveText('version_policy { }').versionPolicy).toEqual({ kind: 'latest', count: 1 });
    expect(outcomeOf(() => resolveText('version_policy { specific { } }'))).toContain(
      'CONFIG_INVALID version_policy.specific',
    );
  });

  it.each([
    ['name: "other"', "name is 'other', but the model's folder is 'demo'"],
    ['backend: "pytorch"', "backend must be 'onnxruntime', got 'pytorch'"],
    [
      'platform: "tensorrt_plan"',
      "platform must be 'onnxruntime_onnx' for backend 'onnxruntime', got 'tensorrt_plan'",
    ],
    ['max_batch_size: -1', 'max_batch_size must be at least 0, got -1'],
    ['instance_group { } instance_group { count: -2 }', 'instance_group[1].count must be at least 0, got -2'],
    [
      'instance_group { kind: KIND_CPU gpus: 0 }',
      'instance_group[0] has the kind KIND_CPU, which takes no gpus, got [0]',
    ],
    ['instance_group { kind: KIND_MODEL gpus: 0 }', 'takes no gpus'],
    ['instance_group { kind: KIND_GPU gpus: -1 }', 'instance_group[0].gpus must be at least 0, got [-1]'],
    [
      'instance_group { kind: 9 }',
      'instance_group[0].kind must be one of KIND_AUTO, KIND_CPU, KIND_GPU, KIND_MODEL, got 9',
    ],
  ])('refuses %s', (text, message) => {
    expect(outcomeOf(() => resolveText(text))).toContain("CONFIG_INVALID config of model 'demo': ");
    expect(outcomeOf(() => resolveText(text))).toContain(message);
  });
});
