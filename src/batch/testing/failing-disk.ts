import fs from 'node:fs';
import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/** The calls that change a disk, as far as Millrace uses them. */
const SYNCHRONOUS_CALLS = ['openSync', 'renameSync', 'writeFileSync'] as const;
const CHANGING_CALLS = [
  'appendFile',
  'link',
  'mkdir',
  'open',
  'rename',
  'rm',
  'truncate',
  'writeFile',
] as const;

/**
 * Makes calls of `node:fs` and `node:fs/promises` that change the disk fail, from a certain one on: what is on the disk then is what a
 * crash at that point leaves behind, or a disk that is full.
 */
export interface FailingDisk {
  /** Changing calls since the last `failFrom`. */
  readonly calls: number;
  /** From the `first`-th changing call on (from 1) every one fails; Infinity: none does. */
  failFrom(first: number): void;
  restore(): void;
}

export function createFailingDisk(code: string): FailingDisk {
  const promised = CHANGING_CALLS.map((name) => [name, fsPromises[name]] as const);
  const synchronous = SYNCHRONOUS_CALLS.map((name) => [name, fs[name]] as const);
  let calls = 0;
  let firstToFail = Number.POSITIVE_INFINITY;
  const count = (name: string, [path, flags]: readonly unknown[]): void => {
    if (name.startsWith('open') && flags === 'r') {
      return;
    }
    calls += 1;
    if (calls >= firstToFail) {
      throw Object.assign(new Error(`${code}: made to fail, ${name} '${String(path)}'`), { code });
    }
  };
  for (const [name, original] of promised) {
    Object.assign(fsPromises, {
      [name]: async (...args: unknown[]): Promise<unknown> => {
        count(name, args);
        return Reflect.apply(original, fsPromises, args);
      },
    });
  }
  for (const [name, original] of synchronous) {
    Object.assign(fs, {
      [name]: (...args: unknown[]): unknown => {
        count(name, args);
        return Reflect.apply(original, fs, args);
      },
    });
  }
  syncBuiltinESMExports();
  return {
    get calls() {
      return calls;
    },
    failFrom(first) {
      calls = 0;
      firstToFail = first;
    },
    restore() {
      Object.assign(fsPromises, Object.fromEntries(promised));
      Object.assign(fs, Object.fromEntries(synchronous));
      syncBuiltinESMExports();
    },
  };
}
