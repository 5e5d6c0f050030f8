import type { InstanceGroup, ModelConfig } from '../model-config/model-config.ts';
import type { InstanceSpec } from './backend.ts';
import { readWholeNumber } from './parameter-values.ts';

/** What the machine gives to this process. */
export interface Machine {
  /** Cores it may use, at least 1: `readAvailableCores`. */
  readonly cores: number;
  /** Numbers of the GPUs that the backend can use; none when not known. */
  readonly gpus?: readonly number[];
}

/** What of an `InstanceSpec` is decided here. */
type PlannedInstance = Pick<InstanceSpec, 'name' | 'group' | 'gpu' | 'intraOpThreads'>;

export interface InstancePlan {
  /** At least one, in the order of the groups. */
  readonly specs: readonly PlannedInstance[];
  /** Where the plan has less than the config asks for, and why. They do not name the model. */
  readonly notices: readonly string[];
}

/**
 * Instances of a model whose config names no count, at most. Each holds its own copy of the weights, so that a large
 * machine makes more of them only when it is asked to.
 */
const MAX_DEFAULT_INSTANCES = 8;

/**
 * Which instances to make of a model. Those on the CPU never have more threads together than there are cores, since
 * threads that share a core more than halve each other's work; GPU instances do not count. Without a count in the
 * config there is one instance a core, eight at most, each with one thread, which gives the most rows a second.
 * Counts and the parameter `intra_op_thread_count` are followed as far as the cores go; a group that finds no core
 * left is left out, since all groups hold the same model.
 * @throws {MillraceError} CONFIG_INVALID for an `intra_op_thread_count` other than a whole number from 0, meaning one
 *   thread, to 1024.
 */
export function planInstances(config: ModelConfig, { cores, gpus = [] }: Machine): InstancePlan {
  const notices: string[] = [];
  const askedThreads = readWholeNumber(config, 'intra_op_thread_count', 0, 1024) || 1;
  const intraOpThreads = Math.min(askedThreads, cores);
  if (intraOpThreads < askedThreads) {
    notices.push(
      `intra_op_thread_count ${askedThreads} is asked for, given ${intraOpThreads}: this process may use ${cores} cores`,
    );
  }
  const groups = config.instanceGroups.length > 0 ? config.instanceGroups : [defaultGroup(config)];
  let free = Math.floor(cores / intraOpThreads);
  const specs: PlannedInstance[] = [];
  for (const group of groups) {
    const devices = gpusOf(group, gpus);
    if (devices.length > 0) {
      specs.push(...planGpuGroup(group, devices, intraOpThreads));
      continue;
    }
    const asked = group.count || Math.min(Math.max(free, 1), MAX_DEFAULT_INSTANCES);
    const given = Math.min(asked, free);
    if (given < asked) {
      notices.push(
        `instance group '${group.name}' asks for ${asked} instances of ${intraOpThreads} ` +
          `threads, given ${given}: this process may use ${cores} cores, and more threads than cores run slower`,
      );
    }
    free -= given;
    specs.push(...planCpuGroup(group, given, intraOpThreads));
  }
  return { specs, notices };
}

function defaultGroup({ name }: ModelConfig): InstanceGroup {
  return { name: `${name}_0`, kind: 'KIND_AUTO', count: 0, gpus: [] };
}

/** KIND_GPU without numbers means every GPU, or the first where none is known; KIND_AUTO those that are there. */
function gpusOf({ kind, gpus }: InstanceGroup, available: readonly number[]): readonly number[] {
  switch (kind) {
    case 'KIND_GPU': {
      const wanted = gpus.length > 0 ? gpus : available;
      return wanted.length > 0 ? wanted : [0];
    }
    case 'KIND_AUTO':
      return gpus.length > 0 ? gpus.filter((gpu) => available.includes(gpu)) : available;
    default:
      return [];
  }
}

function planCpuGroup(group: InstanceGroup, count: number, intraOpThreads: number): PlannedInstance[] {
  return Array.from({ length: count }, (_, number) => ({
    name: `${group.name}_${number}`,
    group,
    gpu: undefined,
    intraOpThreads,
  }));
}

/** `count` instances on each GPU, one when the config names none; named as Triton names them. */
function planGpuGroup(
  group: InstanceGroup,
  gpus: readonly number[],
  intraOpThreads: number,
): PlannedInstance[] {
  return gpus.flatMap((gpu) =>
    Array.from({ length: group.count || 1 }, (_, number) => ({
      name: `${group.name}_${number}_gpu${gpu}`,
      group,
      gpu,
      intraOpThreads,
    })),
  );
}
