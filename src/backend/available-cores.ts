import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** The text of a file, or undefined when it cannot be read. */
export type ReadText = (path: string) => string | undefined;

const CGROUP_ROOT = '/sys/fs/cgroup';

/**
 * Whole cores that this process may use, at least 1: what its CPU affinity allows, and not more than the tightest CPU
 * quota of the control groups that it is in, which is how containers are limited. Part of a core is not counted.
 */
export function readAvailableCores(): number {
  const quota = readCoreQuota((path) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return undefined;
    }
  });
  return Math.max(1, Math.floor(Math.min(availableParallelism(), quota)));
}

/**
 * The tightest CPU quota on the way from this process's control groups up to the root, in cores; Infinity where there
 * is none. Inside a container the path of the group may lie outside of what is mounted: then only the root is found.
 * @see https://www.kernel.org/doc/html/latest/admin-guide/cgroup-v2.html#cpu-interface-files
 * @see https://docs.kernel.org/scheduler/sched-bwc.html
 */
export function readCoreQuota(readText: ReadText): number {
  const quotas = parseCgroupPaths(readText('/proc/self/cgroup') ?? '').flatMap(({ controllers, path }) => {
    const folders = foldersUpwards(path);
    return controllers === ''
      ? folders.map((folder) => parseCpuMax(readText(`${CGROUP_ROOT}${folder}/cpu.max`) ?? ''))
      : folders.map((folder) => {
          const mount = `${CGROUP_ROOT}/${controllers}${folder}`;
          return coresOf(readText(`${mount}/cpu.cfs_quota_us`), readText(`${mount}/cpu.cfs_period_us`));
        });
  });
  return Math.min(Number.POSITIVE_INFINITY, ...quotas);
}

/** Of the lines of /proc/self/cgroup those that can limit the CPU: version 2 (no controllers), and version 1's `cpu`. */
export function parseCgroupPaths(text: string): { controllers: string; path: string }[] {
  return text.split('\n').flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    const limitsCpu = controllers === '' || controllers?.split(',').includes('cpu');
    return controllers !== undefined && path !== undefined && limitsCpu ? [{ controllers, path }] : [];
  });
}

/** Cores by `cpu.max` of version 2, `<quota> <period>` in microseconds or `max <period>`. */
export function parseCpuMax(text: string): number {
  const [quota, period] = text.trim().split(/\s+/);
  return coresOf(quota, period);
}

/** A quota of -1, `max` or nothing is none. */
function coresOf(quota: string | undefined, period: string | undefined): number {
  const cores = Number(quota) / Number(period);
  return cores > 0 && Number.isFinite(cores) ? cores : Number.POSITIVE_INFINITY;
}

/** `/a/b` gives `/a/b`, `/a` and the root, which is the empty text. */
function foldersUpwards(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '');
  return Array.from({ length: names.length + 1 }, (_, dropped) =>
    names
      .slice(0, names.length - dropped)
      .map((name) => `/${name}`)
      .join(''),
  );
}
