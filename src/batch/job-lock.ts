import { readFileSync } from 'node:fs';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MillraceError, systemErrorCode } from '../base/errors.ts';
import { guardWrite } from './durable-file.ts';

export const LOCK_FILE = 'job.lock';

/** Who holds an output directory. */
export interface LockHolder {
  readonly pid: number;
  /** Tells a process from a later one with the same number; null where the system does not say. */
  readonly started: string | null;
}

/**
 * Takes the directory for this process.
 * @returns gives it back.
 * @throws {MillraceError} JOB_LOCKED when a living process holds it.
 */
export async function lockJob(outputDir: string): Promise<() => Promise<void>> {
  const path = join(outputDir, LOCK_FILE);
  const own: LockHolder = { pid: process.pid, started: startOf(process.pid) };
  // The second try follows the removal of a lock whose process is gone.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    if (await createExclusively(path, JSON.stringify(own))) {
      return () => rm(path, { force: true });
    }
    const holder = await readLockHolder(outputDir);
    if (holder !== undefined) {
      throw locked(outputDir, holder);
    }
    await rm(path, { force: true });
  }
  throw new MillraceError('JOB_LOCKED', `another process has just taken '${outputDir}': wait for it`);
}

/** The living process that holds the directory; undefined when there is none. */
export async function readLockHolder(outputDir: string): Promise<LockHolder | undefined> {
  let holder: LockHolder;
  try {
    holder = JSON.parse(await readFile(join(outputDir, LOCK_FILE), 'utf8'));
  } catch {
    // Not there, or no lock of ours.
    return undefined;
  }
  return typeof holder.pid === 'number' && isAlive(holder) ? holder : undefined;
}

/** The lock appears with its content or not at all: a link to a file that is already written. */
async function createExclusively(path: string, text: string): Promise<boolean> {
  const own = `${path}.${process.pid}`;
  return guardWrite(path, async () => {
    await writeFile(own, text);
    try {
      await link(own, path);
      return true;
    } catch (error) {
      if (systemErrorCode(error) === 'EEXIST') {
        return false;
      }
      throw error;
    } finally {
      await rm(own, { force: true });
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

function locked(outputDir: string, { pid }: LockHolder): MillraceError {
  return new MillraceError(
    'JOB_LOCKED',
    `process ${pid} is running the job of '${outputDir}': wait for it, or stop it`,
    {
      details: { pid },
    },
  );
}
