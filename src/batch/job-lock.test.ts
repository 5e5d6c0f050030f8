import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockJob, readLockHolder } from './job-lock.ts';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'millrace-lock-'));
});

afterEach(() => {
  rmSync(dir, { recursive: true });
});

it('names the process that holds the directory, and lets go of it', async () => {
  const unlock = await lockJob(dir);
  expect(await readLockHolder(dir)).toMatchObject({ pid: process.pid });
  await expect(lockJob(dir)).rejects.toMatchObject({
    reason: 'JOB_LOCKED',
    message: expect.stringContaining(`process ${process.pid} `),
  });
  await unlock();
  expect(await readLockHolder(dir)).toBeUndefined();
  expect(readdirSync(dir)).toEqual([]);
});

it('of many that start at once exactly one gets the directory', async () => {
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => lockJob(dir)));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

it('J05: takes over the lock of a process that was killed, once', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  writeFileSync(join(dir, 'job.lock.7'), JSON.stringify({ pid: child.pid, started: null }));
  await expect(lockJob(dir)).rejects.toMatchObject({ reason: 'JOB_LOCKED' });
  child.kill('SIGKILL');
  await once(child, 'exit');
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => lockJob(dir)));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(readdirSync(dir)).toEqual(['job.lock.8']);
});

it('a process with the number of a dead one is not its holder', async () => {
  writeFileSync(join(dir, 'job.lock.1'), JSON.stringify({ pid: process.pid, started: 'before' }));
  expect(await readLockHolder(dir)).toBeUndefined();
  await (await lockJob(dir))();
});

it('a low number that is taken late gives way to the higher one that lives', async () => {
  const unlock = await lockJob(dir);
  writeFileSync(join(dir, 'job.lock.0'), JSON.stringify({ pid: 2 ** 30, started: null }));
  await expect(lockJob(dir)).rejects.toMatchObject({ reason: 'JOB_LOCKED' });
  await unlock();
});

it.each(['', '{', 'null', '{"pid":0}', '{"pid":"1"}', '{"pid":-1,"started":null}'])(
  'a lock file that says %j holds nothing',
  async (text) => {
    writeFileSync(join(dir, 'job.lock.1'), text);
    expect(await readLockHolder(dir)).toBeUndefined();
    await (await lockJob(dir))();
  },
);
