import type { InferenceSession } from 'onnxruntime-node';
import { MillraceError } from '../../base/errors.ts';
import type { ModelConfig } from '../../model-config/model-config.ts';
import type { InstanceSpec } from '../backend.ts';
import { readSwitch, readWholeNumber } from '../parameter-values.ts';
import type { ProviderChoice } from './execution-providers.ts';

type SessionOptions = InferenceSession.SessionOptions;
type GraphLevel = NonNullable<SessionOptions['graphOptimizationLevel']>;

/** Triton's `optimization.graph.level`. */
const GRAPH_LEVELS: ReadonlyMap<number, GraphLevel> = new Map([
  [-1, 'basic'],
  [0, 'all'],
  [1, 'extended'],
  [2, 'all'],
]);

/** Parameters with these beginnings are config entries of ONNX Runtime, and are handed to it as they are. */
const ENTRY_PREFIXES = ['session.', 'optimization.', 'ep.', 'mlas.'];
const NO_CPU_FALLBACK = 'session.disable_cpu_ep_fallback';
const QUIET = 4;

/**
 * The session options that `parameters` and `optimization` of the config ask for. What is not asked for is ONNX
 * Runtime's default, except: one thread inside and one between operators, no threads that spin while they wait, since
 * other instances need the cores, no fallback to the CPU for a model that is to run on a GPU, and a silent log.
 * @throws {MillraceError} CONFIG_INVALID for a value that a parameter cannot take, CONFIG_UNSUPPORTED for a parameter
 *   that Triton has and the Node binding has not.
 * @see https://github.com/triton-inference-server/onnxruntime_backend#model-config-options
 * @see https://github.com/microsoft/onnxruntime/blob/main/include/onnxruntime/core/session/onnxruntime_session_options_config_keys.h
 */
export function createSessionOptions(
  { config, intraOpThreads, gpu, name }: InstanceSpec,
  { providers }: ProviderChoice,
): SessionOptions {
  if (config.parameters.has('memory.enable_memory_arena_shrinkage')) {
    throw new MillraceError(
      'CONFIG_UNSUPPORTED',
      `parameter 'memory.enable_memory_arena_shrinkage' of model '${config.name}' has no counterpart in ONNX Runtime for Node`,
    );
  }
  const memoryArena = readSwitch(config, 'enable_mem_arena');
  const memoryPattern = readSwitch(config, 'enable_mem_pattern');
  const parallel = readWholeNumber(config, 'execution_mode', 0, 1) === 1;
  const interOpThreads = readWholeNumber(config, 'inter_op_thread_count', 0, 1024) || 1;
  return {
    executionProviders: providers,
    intraOpNumThreads: intraOpThreads,
    interOpNumThreads: interOpThreads,
    executionMode: parallel ? 'parallel' : 'sequential',
    graphOptimizationLevel: readGraphLevel(config),
    ...(memoryArena === undefined ? {} : { enableCpuMemArena: memoryArena }),
    ...(memoryPattern === undefined ? {} : { enableMemPattern: memoryPattern }),
    logId: name,
    logSeverityLevel: QUIET,
    extra: {
      ...(intraOpThreads > 1 ? { 'session.intra_op.allow_spinning': '0' } : {}),
      ...(interOpThreads > 1 ? { 'session.inter_op.allow_spinning': '0' } : {}),
      ...(gpu === undefined ? {} : { [NO_CPU_FALLBACK]: '1' }),
      ...readEntries(config),
    },
  };
}

function readGraphLevel({ name, optimization }: ModelConfig): GraphLevel {
  const level = GRAPH_LEVELS.get(optimization.graphLevel ?? 0);
  if (level === undefined) {
    throw new MillraceError(
      'CONFIG_INVALID',
      `optimization.graph.level of model '${name}': expected -1 (basic), 0 (default), 1 (extended) or 2 (all), got ` +
        `${optimization.graphLevel}`,
    );
  }
  return level;
}

function readEntries({ parameters }: ModelConfig): Record<string, string> {
  return Object.fromEntries(
    [...parameters].filter(([key]) => ENTRY_PREFIXES.some((prefix) => key.startsWith(prefix))),
  );
}
