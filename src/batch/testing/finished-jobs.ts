import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InferClient } from '../../client/infer-client.ts';
import { runJob } from '../job.ts';
import type { JobOptions } from '../job-options.ts';
import { type VerifyOptions, type VerifyReport, verifyJob } from '../verify/verify-job.ts';
import { createFakeClient, type FakeClientOptions } from './fake-client.ts';
import { createJobFolder, type JobFolder, jobOptions, numberedCsv } from './job-folder.ts';

const NEVER = new AbortController().signal;

/** Jobs of a fake model over `rows` rows of `numberedCsv`, with ids, in shards of 20 rows and batches of 8. */
export interface FinishedJobs {
  readonly folder: JobFolder;
  /** Path of the input. */
  readonly input: string;
  /** Runs a job into the folder `name`. */
  submit(name: string, changed?: Partial<JobOptions>, fake?: FakeClientOptions): Promise<void>;
  verify(name: string, changed?: Partial<VerifyOptions>, client?: InferClient): Promise<VerifyReport>;
  /** Copies a job and changes the copy. @returns its name. */
  damage(name: string, change: DamageJob): string;
}

/** @param path of a file of the job. */
export type DamageJob = (path: (file: string) => string) => void;

export function createFinishedJobs(rows: number): FinishedJobs {
  const folder = createJobFolder();
  const input = folder.writeInput('input.csv', numberedCsv(rows));
  let copies = 0;
  return {
    folder,
    input,
    async submit(name, changed = {}, fake = {}) {
      const base = { idColumn: 'id', shardRows: 20 };
      const options = jobOptions(input, join(folder.path, name), { ...base, ...changed });
      await runJob(options, createFakeClient(fake), () => {}, NEVER);
    },
    verify(name, changed = {}, client = undefined) {
      const outputDir = join(folder.path, name);
      const rest = { expectedCount: undefined, allowNonFinite: false, recompute: 0 };
      return verifyJob({ inputFile: input, outputDir, ...rest, ...changed }, client, NEVER);
    },
    damage(name, change) {
      copies += 1;
      const copy = `${name}-${copies}`;
      cpSync(join(folder.path, name), join(folder.path, copy), { recursive: true });
      change((file) => join(folder.path, copy, file));
      return copy;
    },
  };
}

/** Changes the lines of a text file. */
export function editLines(path: string, edit: (lines: string[]) => string[]): void {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  writeFileSync(
    path,
    edit(lines)
      .map((line) => `${line}\n`)
      .join(''),
  );
}

/** The texts of a report by kind of problem. */
export function shownProblems({ problems }: VerifyReport): Record<string, readonly string[]> {
  return Object.fromEntries(problems.map(({ kind, shown }) => [kind, shown]));
}
