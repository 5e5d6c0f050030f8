import { describe, expect, it } from 'vitest';
import { parseCgroupPaths, parseCpuMax, readAvailableCores, readCoreQuota } from './available-cores.ts';

describe('parseCpuMax', () => {
  it.each([
    ['max 100000\n', Number.POSITIVE_INFINITY],
    ['200000 100000\n', 2],
    ['50000 100000\n', 0.5],
    ['150000 50000', 3],
    ['', Number.POSITIVE_INFINITY],
    ['nonsense', Number.POSITIVE_INFINITY],
    ['100000 0', Number.POSITIVE_INFINITY],
  ])('%j', (text, cores) => {
    expect(parseCpuMax(text)).toBe(cores);
  });
});

it('parseCgroupPaths takes version 2, and of version 1 what limits the CPU', () => {
  const text = '12:cpuset:/a\n4:cpu,cpuacct:/docker/1:2\n1:name=systemd:/b\n0::/user.slice\n';
  expect(parseCgroupPaths(text)).toEqual([
    { controllers: 'cpu,cpuacct', path: '/docker/1:2' },
    { controllers: '', path: '/user.slice' },
  ]);
});

describe('readCoreQuota', () => {
  const quotaOf = (files: Readonly<Record<string, string>>): number => readCoreQuota((path) => files[path]);
  const V2 = { '/proc/self/cgroup': '0::/pod/container\n' };
  const V1 = { '/proc/self/cgroup': '3:cpu,cpuacct:/docker/x\n0::/\n' };

  it.each([
    ['no control groups', {}, Number.POSITIVE_INFINITY],
    ['no quota', { ...V2, '/sys/fs/cgroup/pod/container/cpu.max': 'max 100000' }, Number.POSITIVE_INFINITY],
    ['the own group', { ...V2, '/sys/fs/cgroup/pod/container/cpu.max': '150000 100000' }, 1.5],
    [
      'the tightest of nested groups',
      {
        ...V2,
        '/sys/fs/cgroup/pod/container/cpu.max': '800000 100000',
        '/sys/fs/cgroup/pod/cpu.max': '300000 100000',
        '/sys/fs/cgroup/cpu.max': '400000 100000',
      },
      3,
    ],
    [
      'a path of the host, of which only the root is mounted',
      { ...V2, '/sys/fs/cgroup/cpu.max': '200000 100000' },
      2,
    ],
    [
      'version 1',
      {
        ...V1,
        '/sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_quota_us': '250000\n',
        '/sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_period_us': '100000\n',
      },
      2.5,
    ],
    [
      'version 1 without a quota',
      {
        ...V1,
        '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '-1\n',
        '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '100000\n',
      },
      Number.POSITIVE_INFINITY,
    ],
  ])('%s', (_what, files, cores) => {
    expect(quotaOf(files)).toBe(cores);
  });
});

it('readAvailableCores gives whole cores, at least one', () => {
  const cores = readAvailableCores();
  expect(Number.isInteger(cores)).toBe(true);
  expect(cores).toBeGreaterThanOrEqual(1);
});
