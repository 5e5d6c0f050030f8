import { describe, expect, it } from 'vitest';
import type { InstanceSpec } from '../backend.ts';
import { chooseProviders } from './execution-providers.ts';
import { createSessionOptions } from './session-options.ts';
import { fixturePath, planFixture } from './testing/fixture-models.ts';

type SessionOptions = ReturnType<typeof createSessionOptions>;

async function optionsOf(configText: string, changes: Partial<InstanceSpec> = {}): Promise<SessionOptions> {
  const spec = { ...(await planFixture(fixturePath('add_sub.onnx'), configText)), ...changes };
  return createSessionOptions(spec, chooseProviders(spec));
}

const parameter = (key: string, value: string): string =>
  `parameters { key: "${key}" value { string_value: "${value}" } }`;

describe('createSessionOptions', () => {
  it('by default: one thread, the CPU, all optimisations, a silent log, and nothing else', async () => {
    expect(await optionsOf('')).toEqual({
      executionProviders: [{ name: 'cpu' }],
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      graphOptimizationLevel: 'all',
      logId: 'fixture_0_0',
      logSeverityLevel: 4,
      extra: {},
    });
  });

  it.each<[string, Partial<SessionOptions>]>([
    [parameter('enable_mem_arena', '0'), { enableCpuMemArena: false }],
    [parameter('enable_mem_arena', 'true'), { enableCpuMemArena: true }],
    [parameter('enable_mem_pattern', '0'), { enableMemPattern: false }],
    [parameter('execution_mode', '1'), { executionMode: 'parallel' }],
    [parameter('execution_mode', '0'), { executionMode: 'sequential' }],
    [parameter('inter_op_thread_count', '0'), { interOpNumThreads: 1, extra: {} }],
    [
      parameter('inter_op_thread_count', '3'),
      { interOpNumThreads: 3, extra: { 'session.inter_op.allow_spinning': '0' } },
    ],
    [parameter('session.set_denormal_as_zero', '1'), { extra: { 'session.set_denormal_as_zero': '1' } }],
    [parameter('split_oversize', 'true'), { extra: {} }],
    ['optimization { graph { level: -1 } }', { graphOptimizationLevel: 'basic' }],
    ['optimization { graph { level: 0 } }', { graphOptimizationLevel: 'all' }],
    ['optimization { graph { level: 1 } }', { graphOptimizationLevel: 'extended' }],
    ['optimization { graph { level: 2 } }', { graphOptimizationLevel: 'all' }],
  ])('%s', async (configText, expected) => {
    expect(await optionsOf(configText)).toMatchObject(expected);
  });

  it('threads that wait do not spin, unless the config says so', async () => {
    const key = 'session.intra_op.allow_spinning';
    expect((await optionsOf('', { intraOpThreads: 2 })).extra).toEqual({ [key]: '0' });
    expect((await optionsOf(parameter(key, '1'), { intraOpThreads: 2 })).extra).toEqual({ [key]: '1' });
  });

  it('M06: on a GPU nothing may fall back to the CPU, unless the config says so', async () => {
    const key = 'session.disable_cpu_ep_fallback';
    expect((await optionsOf('', { gpu: 0 })).extra).toEqual({ [key]: '1' });
    expect((await optionsOf(parameter(key, '0'), { gpu: 0 })).extra).toEqual({ [key]: '0' });
  });

  it.each([
    [
      parameter('execution_mode', 'parallel'),
      "'execution_mode' of model 'fixture': expected a whole number from 0 to 1, got 'parallel'",
    ],
    [parameter('inter_op_thread_count', '-1'), "from 0 to 1024, got '-1'"],
    [parameter('inter_op_thread_count', '1.5'), "got '1.5'"],
    [parameter('inter_op_thread_count', ''), "got ''"],
    [parameter('inter_op_thread_count', '99999999999'), "got '99999999999'"],
    [parameter('enable_mem_arena', 'yes'), "expected 0, 1, false or true, got 'yes'"],
    [
      'optimization { graph { level: 3 } }',
      'expected -1 (basic), 0 (default), 1 (extended) or 2 (all), got 3',
    ],
  ])('%s is refused', async (configText, problem) => {
    await expect(optionsOf(configText)).rejects.toMatchObject({
      reason: 'CONFIG_INVALID',
      message: expect.stringContaining(problem),
    });
  });

  it('a parameter of Triton without counterpart is refused, not ignored', async () => {
    const text = parameter('memory.enable_memory_arena_shrinkage', 'cpu:0');
    await expect(optionsOf(text)).rejects.toMatchObject({ reason: 'CONFIG_UNSUPPORTED' });
  });
});
