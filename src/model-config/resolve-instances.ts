import { createConfigError } from './config-error.ts';
import type { ModelConfigMessage, ModelInstanceGroup } from './generated/model-config-message.ts';
import type { ExecutionAccelerator, InstanceGroup, Optimization } from './model-config.ts';

const KINDS = ['KIND_AUTO', 'KIND_CPU', 'KIND_GPU', 'KIND_MODEL'] as const;

/** @throws {MillraceError} CONFIG_INVALID naming the field. */
export function resolveInstanceGroups(
  groups: readonly ModelInstanceGroup[],
  modelName: string,
): readonly InstanceGroup[] {
  return groups.map((group, index) => resolveInstanceGroup(group, index, modelName));
}

function resolveInstanceGroup(group: ModelInstanceGroup, index: number, modelName: string): InstanceGroup {
  const where = `instance_group[${index}]`;
  const kind = KINDS.find((known) => known === (group.kind ?? 'KIND_AUTO'));
  if (kind === undefined) {
    throw createConfigError(modelName, `${where}.kind must be one of ${KINDS.join(', ')}, got ${group.kind}`);
  }
  const count = group.count ?? 0;
  if (count < 0) {
    throw createConfigError(modelName, `${where}.count must be at least 0, got ${count}`);
  }
  const gpus = group.gpus ?? [];
  if (gpus.some((gpu) => gpu < 0)) {
    throw createConfigError(modelName, `${where}.gpus must be at least 0, got [${gpus.join(', ')}]`);
  }
  if (gpus.length > 0 && (kind === 'KIND_CPU' || kind === 'KIND_MODEL')) {
    throw createConfigError(
      modelName,
      `${where} has the kind ${kind}, which takes no gpus, got [${gpus.join(', ')}]`,
    );
  }
  return { name: group.name ?? `${modelName}_${index}`, kind, count, gpus };
}

/** What `optimization` says of the runtime; the rest of it has no meaning outside of Triton's own memory handling. */
export function resolveOptimization({ optimization }: ModelConfigMessage): Optimization {
  const accelerators = optimization?.execution_accelerators;
  return {
    graphLevel: optimization?.graph === undefined ? undefined : (optimization.graph.level ?? 0),
    gpuExecutionAccelerators: (accelerators?.gpu_execution_accelerator ?? []).map(resolveAccelerator),
    cpuExecutionAccelerators: (accelerators?.cpu_execution_accelerator ?? []).map(resolveAccelerator),
  };
}

function resolveAccelerator(accelerator: {
  readonly name?: string;
  readonly parameters?: ReadonlyMap<string, string>;
}): ExecutionAccelerator {
  return { name: accelerator.name ?? '', parameters: accelerator.parameters ?? new Map() };
}
