import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/** The calls that change a disk, as far as Millrace uses them. */
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
 * Makes calls of `node:fs/promises` that change the disk fail, from a certain one on: what is on the disk then is what a
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
  const originals = CHANGING_CALLS.map((name) => [name, fs[name]] as const);
  let calls = 0;
  let firstToFail = Number.POSITIVE_INFINITY;
  for (const [name, original] of originals) {
    Object.assign(fs, {
      [name]: async (...args: unknown[]): Promise<unknown> => {
        if (name !== 'open' || args[1] !== 'r') {
          calls += 1;
          if (calls >= firstToFail) {
            throw Object.assign(new Error(`${code}: made to fail, ${name} '${String(args[0])}'`), { code });
          }
        }
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
      Object.assign(fs, Object.fromEntries(originals));
      syncBuiltinESMExports();
    },
  };
}
