import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobOptions } from '../job-options.ts';

/** A temporary folder for the inputs and outputs of jobs. */
export interface JobFolder {
  readonly path: string;
  /** Writes an input file and gives its path. */
  writeInput(name: string, content: string | Buffer): string;
  remove(): void;
}

export function createJobFolder(): JobFolder {
  const path = mkdtempSync(join(tmpdir(), 'millrace-job-'));
  return {
    path,
    writeInput(name, content) {
      writeFileSync(join(path, name), content);
      return join(path, name);
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** The options of a job that says nothing but its files. */
export function jobOptions(
  inputFile: string,
  outputDir: string,
  changed: Partial<JobOptions> = {},
): JobOptions {
  return {
    inputFile,
    inputFormat: undefined,
    encoding: undefined,
    delimiter: undefined,
    outputDir,
    outputFormat: 'jsonl',
    modelName: 'fake',
    modelVersion: undefined,
    jobId: undefined,
    batchSize: 8,
    shardRows: undefined,
    concurrency: undefined,
    map: [],
    idColumn: undefined,
    keep: [],
    outputs: [],
    allowDuplicateIds: false,
    allowNonFinite: false,
    resumeFrom: 0,
    retryFailed: false,
    maxErrors: undefined,
    timeoutSeconds: undefined,
    maxRetries: 3,
    progressCallbackUrl: undefined,
    ...changed,
  };
}

/** CSV of `x0,x1,x2` with an id: row i is `r<i>,i,i+0.25,-i`. */
export function numberedCsv(rows: number): string {
  const lines = Array.from({ length: rows }, (_, row) => `r${row},${row},${row + 0.25},${-row}`);
  return `id,x0,x1,x2\n${lines.join('\n')}\n`;
}

/** Content of every file under a folder, by relative path. */
export function readFolder(path: string): ReadonlyMap<string, string> {
  return new Map(
    readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(path, name)).isFile())
      .sort()
      .map((name) => [name, readFileSync(join(path, name), 'latin1')]),
  );
}

/** The JSON objects of a file, one a line. */
export function readJsonLines(path: string): Record<string, unknown>[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
