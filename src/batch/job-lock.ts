/**
 * One process an output directory. A lock is a file `job.lock.<n>`; the highest number that was ever taken counts. A lock
 * whose process is gone is not removed but outnumbered: only one process can create the next number, so that two that find
 * the same dead lock cannot both take the directory.
 */
import { readFileSync } from 'node:fs';
import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { MillraceError, systemErrorCode } from '../base/errors.ts';
import { guardWrite } from './durable-file.ts';

/** All files of locking have names that begin so, those that a crash leaves behind included. */
export const LOCK_FILE = 'job.lock';

const LOCK_NAME = /^job\.lock\.(\d+)$/;

const lockHolder = z
  .object({
    pid: z.int().positive(),
    /** Tells a process from a later one with the same number; null where the system does not say. */
    started: z.string().nullable(),
  })
  .readonly();

/** Who holds an output directory. */
export type LockHolder = z.infer<typeof lockHolder>;

/**
 * Takes the directory for this process.
 * @returns gives it back.
 * @throws {MillraceError} JOB_LOCKED when a living process holds it, OUTPUT_UNWRITABLE.
 */
export async function lockJob(outputDir: string): Promise<() => Promise<void>> {
  const own: LockHolder = { pid: process.pid, started: startOf(process.pid) };
  for (;;) {
    const found = await readLocks(outputDir);
    refuseIfHeld(outputDir, found);
    const number = Math.max(0, ...found.map((lock) => lock.number)) + 1;
    const path = join(outputDir, `${LOCK_FILE}.${number}`);
    if (!(await createExclusively(outputDir, path, JSON.stringify(own)))) {
      // Another process was faster: look again who it is.
      continue;
    }
    const others = (await readLocks(outputDir)).filter((lock) => lock.number !== number);
    try {
      // What was found may have been old: its holder gone, its number free again, and lower than one taken since.
      refuseIfHeld(outputDir, others);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    for (const dead of others) {
      await rm(join(outputDir, `${LOCK_FILE}.${dead.number}`), { force: true });
    }
    return () => rm(path, { force: true });
  }
}

/** The living process that holds the directory; undefined when there is none. */
export async function readLockHolder(outputDir: string): Promise<LockHolder | undefined> {
  return (await readLocks(outputDir)).find(({ holder }) => holder !== undefined)?.holder;
}

interface Lock {
  readonly number: number;
  /** Undefined: its process is gone. */
  readonly holder: LockHolder | undefined;
}

async function readLocks(outputDir: string): Promise<readonly Lock[]> {
  const locks: Lock[] = [];
  for (const name of await readNames(outputDir)) {
    const number = LOCK_NAME.exec(name)?.[1];
    if (number !== undefined) {
      locks.push({ number: Number(number), holder: await readLivingHolder(join(outputDir, name)) });
    }
  }
  return locks;
}

async function readNames(outputDir: string): Promise<readonly string[]> {
  try {
    return await readdir(outputDir);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') {
      return [];
    }
    throw error;
  }
}

async function readLivingHolder(path: string): Promise<LockHolder | undefined> {
  try {
    const holder = lockHolder.parse(JSON.parse(await readFile(path, 'utf8')));
    return isAlive(holder) ? holder : undefined;
  } catch {
    // Given back in between, or not written by `createExclusively`.
    return undefined;
  }
}

function refuseIfHeld(outputDir: string, locks: readonly Lock[]): void {
  const holder = locks.find((lock) => lock.holder !== undefined)?.holder;
  if (holder !== undefined) {
    throw new MillraceError(
      'JOB_LOCKED',
      `process ${holder.pid} is running the job of '${outputDir}': wait for it, or stop it`,
      { details: { pid: holder.pid } },
    );
  }
}

let createdLocks = 0;

/** The lock appears with its content or not at all: a link to a file that is already written. */
async function createExclusively(outputDir: string, path: string, text: string): Promise<boolean> {
  createdLocks += 1;
  const unlinked = join(outputDir, `${LOCK_FILE}-new.${process.pid}-${createdLocks}`);
  return guardWrite(path, async () => {
    await writeFile(unlinked, text);
    try {
      await link(unlinked, path);
      return true;
    } catch (error) {
      if (systemErrorCode(error) === 'EEXIST') {
        return false;
      }
      throw error;
    } finally {
      await rm(unlinked, { force: true });
    }
  });
}

function isAlive({ pid, started }: LockHolder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, and is another user's.
    return systemErrorCode(error) === 'EPERM';
  }
  return started === null || startOf(pid) === started;
}

/** Start time of a process in clock ticks since boot, field 22 of /proc/pid/stat (proc(5)). */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in brackets, may hold spaces itself.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
