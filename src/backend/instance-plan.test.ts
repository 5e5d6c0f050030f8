import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseModelConfig } from '../model-config/model-config-text.ts';
import { resolveModelConfig } from '../model-config/resolve-model-config.ts';
import { type InstancePlan, type Machine, planInstances } from './instance-plan.ts';

function plan(configText: string, machine: Machine): InstancePlan {
  const config = resolveModelConfig(parseModelConfig(configText, 'config.pbtxt'), {
    modelName: 'digits',
    backend: { name: 'onnxruntime', platforms: [] },
    defaultModelFilename: 'model.onnx',
    labelFiles: new Map(),
  });
  return planInstances(config, machine);
}

/** `name@device*threads` of each planned instance. */
function describePlan({ specs }: InstancePlan): string[] {
  return specs.map(
    ({ name, gpu, intraOpThreads }) => `${name}@${gpu === undefined ? 'cpu' : gpu}*${intraOpThreads}`,
  );
}

const group = (kind: string, count: number, ...gpus: number[]): string =>
  `instance_group { kind: ${kind} count: ${count} ${gpus.map((gpu) => `gpus: ${gpu}`).join(' ')} }`;
const threads = (count: number | string): string =>
  `parameters { key: "intra_op_thread_count" value { string_value: "${count}" } }`;

describe('planInstances, as the config asks', () => {
  it.each<[string, Machine, string[]]>([
    ['', { cores: 1 }, ['digits_0_0@cpu*1']],
    ['', { cores: 2 }, ['digits_0_0@cpu*1', 'digits_0_1@cpu*1']],
    [group('KIND_CPU', 1), { cores: 4 }, ['digits_0_0@cpu*1']],
    [group('KIND_AUTO', 2), { cores: 4 }, ['digits_0_0@cpu*1', 'digits_0_1@cpu*1']],
    [group('KIND_MODEL', 1), { cores: 4, gpus: [0] }, ['digits_0_0@cpu*1']],
    [group('KIND_CPU', 2) + threads(2), { cores: 4 }, ['digits_0_0@cpu*2', 'digits_0_1@cpu*2']],
    [threads(2), { cores: 5 }, ['digits_0_0@cpu*2', 'digits_0_1@cpu*2']],
    [threads(0), { cores: 1 }, ['digits_0_0@cpu*1']],
    ['instance_group { name: "mine" count: 1 }', { cores: 1 }, ['mine_0@cpu*1']],
    [group('KIND_GPU', 0), { cores: 1 }, ['digits_0_0_gpu0@0*1']],
    [group('KIND_GPU', 2, 1), { cores: 1 }, ['digits_0_0_gpu1@1*1', 'digits_0_1_gpu1@1*1']],
    [group('KIND_GPU', 1), { cores: 1, gpus: [0, 3] }, ['digits_0_0_gpu0@0*1', 'digits_0_0_gpu3@3*1']],
    [group('KIND_AUTO', 1, 3), { cores: 1, gpus: [0, 3] }, ['digits_0_0_gpu3@3*1']],
    [group('KIND_AUTO', 1, 3), { cores: 1, gpus: [0] }, ['digits_0_0@cpu*1']],
    [
      group('KIND_GPU', 3, 0) + group('KIND_CPU', 1),
      { cores: 1 },
      ['digits_0_0_gpu0@0*1', 'digits_0_1_gpu0@0*1', 'digits_0_2_gpu0@0*1', 'digits_1_0@cpu*1'],
    ],
  ])('%s on %j', (configText, machine, expected) => {
    const planned = plan(configText, machine);
    expect(describePlan(planned)).toEqual(expected);
    expect(planned.notices).toEqual([]);
  });

  it('without a count, no more than eight, each of one thread', () => {
    expect(describePlan(plan('', { cores: 64 }))).toEqual(
      Array.from({ length: 8 }, (_, number) => `digits_0_${number}@cpu*1`),
    );
  });
});

describe('planInstances, never more threads than cores', () => {
  it.each([
    [group('KIND_CPU', 4), 2, 2, "instance group 'digits_0' asks for 4 instances of 1 threads, given 2"],
    [
      group('KIND_CPU', 2) + threads(2),
      3,
      1,
      'asks for 2 instances of 2 threads, given 1: this process may use 3 cores',
    ],
    [group('KIND_CPU', 2) + group('KIND_CPU', 1), 2, 2, "instance group 'digits_1' asks for 1 instances"],
    [threads(8), 2, 1, 'intra_op_thread_count 8 is asked for, given 2: this process may use 2 cores'],
  ])('%s on %i cores', (configText, cores, count, notice) => {
    const { specs, notices } = plan(configText, { cores });
    expect(specs).toHaveLength(count);
    expect(notices).toEqual([expect.stringContaining(notice)]);
  });

  it('whatever is asked: at least one instance, at most the cores, and a notice where less is given', () => {
    const counts = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        counts,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 16 }),
        (asked, perInstance, cores) => {
          const text = asked.map((count) => group('KIND_CPU', count)).join('') + threads(perInstance);
          const { specs, notices } = plan(text, { cores });
          const used = specs.reduce((sum, { intraOpThreads }) => sum + intraOpThreads, 0);
          expect(specs.length).toBeGreaterThan(0);
          expect(used).toBeLessThanOrEqual(cores);
          const askedThreads = asked.reduce((sum, count) => sum + count, 0) * perInstance;
          expect(notices.length > 0).toBe(used < askedThreads);
        },
      ),
    );
  });

  it.each(['-1', 'many', '1025', ''])('intra_op_thread_count "%s" is refused', (value) => {
    expect(() => plan(threads(value), { cores: 1 })).toThrow('expected a whole number from 0 to 1024');
  });
});
