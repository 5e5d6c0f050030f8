import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MillraceError } from '../../src/base/errors.ts';
import { runJob } from '../../src/batch/job.ts';
import type { JobOptions, OutputFormat } from '../../src/batch/job-options.ts';
import { createFailingDisk, type FailingDisk } from '../../src/batch/testing/failing-disk.ts';
import { computeFake, createFakeClient, valuesOf } from '../../src/batch/testing/fake-client.ts';
import {
  createJobFolder,
  type JobFolder,
  jobOptions,
  numberedCsv,
  readFolder,
} from '../../src/batch/testing/job-folder.ts';

let folder: JobFolder;
let input: string;
let disk: FailingDisk;

beforeAll(() => {
  folder = createJobFolder();
  input = folder.writeInput('rows.csv', numberedCsv(20));
  disk = createFailingDisk('ENOSPC');
});

afterAll(() => {
  disk.restore();
  folder.remove();
});

function optionsFor(name: string, outputFormat: OutputFormat): JobOptions {
  const outputDir = join(folder.path, name);
  return jobOptions(input, outputDir, {
    idColumn: 'id',
    shardRows: 10,
    batchSize: 4,
    outputFormat,
    concurrency: 1,
  });
}

/** Row 13 fails as long as `isBroken`. */
function run(options: JobOptions, isBroken: boolean) {
  const client = createFakeClient({
    infer: async (request) => {
      if (isBroken && valuesOf(request).includes(13)) {
        throw new MillraceError('EXECUTION_FAILED', 'thirteen');
      }
      return computeFake(request);
    },
  });
  return runJob(options, client, () => {}, new AbortController().signal);
}

/** A process that dies leaves its lock behind, which the living test process must not seem to hold. */
function removeLock(outputDir: string): void {
  for (const name of readdirSync(outputDir).filter((name) => name.startsWith('job.lock'))) {
    rmSync(join(outputDir, name));
  }
}

describe.each(['jsonl', 'csv', 'npy'] as const)('J05: cut off at any change of the disk, %s', (format) => {
  it('a job goes on to the same bytes', async () => {
    disk.failFrom(Number.POSITIVE_INFINITY);
    const whole = optionsFor(`${format}-whole`, format);
    await run(whole, true);
    const expected = readFolder(whole.outputDir);
    const calls = disk.calls;
    expect(calls).toBeGreaterThan(20);
    for (let first = 2; first <= calls; first += 1) {
      const options = optionsFor(`${format}-${first}`, format);
      disk.failFrom(first);
      await run(options, true).catch(() => {});
      removeLock(options.outputDir);
      disk.failFrom(Number.POSITIVE_INFINITY);
      expect(await run(options, true)).toMatchObject({ state: 'complete', done: 19, failed: 1 });
      expect(readFolder(options.outputDir)).toEqual(expected);
    }
  });

  it('a retry of the failed rows goes on to the same bytes', async () => {
    disk.failFrom(Number.POSITIVE_INFINITY);
    const whole = optionsFor(`${format}-retried`, format);
    await run(whole, true);
    disk.failFrom(Number.POSITIVE_INFINITY);
    expect(await run({ ...whole, retryFailed: true }, false)).toMatchObject({ done: 20, failed: 0 });
    const expected = readFolder(whole.outputDir);
    const calls = disk.calls;
    for (let first = 1; first <= calls; first += 1) {
      const options = optionsFor(`${format}-retry-${first}`, format);
      disk.failFrom(Number.POSITIVE_INFINITY);
      await run(options, true);
      disk.failFrom(first);
      await run({ ...options, retryFailed: true }, false).catch(() => {});
      removeLock(options.outputDir);
      disk.failFrom(Number.POSITIVE_INFINITY);
      expect(await run({ ...options, retryFailed: true }, false)).toMatchObject({ done: 20, failed: 0 });
      expect(readFolder(options.outputDir)).toEqual(expected);
    }
  });
});
