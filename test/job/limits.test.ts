import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDeferred } from '../../src/base/deferred.ts';
import { MillraceError } from '../../src/base/errors.ts';
import { ManualClock } from '../../src/base/testing/manual-clock.ts';
import { computeFake, valuesOf } from '../../src/batch/testing/fake-client.ts';
import {
  createJobFolder,
  type JobFolder,
  jobOptions,
  numberedCsv,
  readJsonLines,
} from '../../src/batch/testing/job-folder.ts';
import { runFakeJob } from './run-fake-job.ts';

let folder: JobFolder;
let input: string;

beforeAll(() => {
  folder = createJobFolder();
  input = folder.writeInput('rows.csv', numberedCsv(16));
});

afterAll(() => folder.remove());

it('--timeout: a request that is never answered costs its rows, not the job; --retry-failed puts them in their places', async () => {
  const options = jobOptions(input, join(folder.path, 'hung'), {
    batchSize: 4,
    timeoutSeconds: 300,
    concurrency: 2,
  });
  const clock = new ManualClock();
  const hung = createDeferred<void>();
  const running = runFakeJob(options, {
    clock,
    infer: async (request) => {
      if (valuesOf(request).includes(5)) {
        hung.resolve();
        return new Promise(() => {});
      }
      return computeFake(request);
    },
  });
  await hung.promise;
  // The other batches go through beside the one that hangs.
  await clock.advance(299_000_000);
  await clock.advance(1_000_000);
  const summary = await running;
  expect(summary.state).toBe('complete');
  expect(summary.done + summary.failed).toBe(16);
  const errors = readJsonLines(join(options.outputDir, 'errors.jsonl'));
  expect(errors.map(({ row }) => row)).toEqual(expect.arrayContaining([4, 5, 6, 7]));
  expect(errors.find(({ row }) => row === 5)).toMatchObject({
    stage: 'timeout',
    reason: 'SHARD_TIMEOUT',
    attempts: 1,
  });
  expect(await runFakeJob({ ...options, retryFailed: true })).toMatchObject({ done: 16, failed: 0 });
  const rows = readJsonLines(join(options.outputDir, 'results.jsonl')).map(({ row }) => row);
  expect(rows).toEqual(Array.from({ length: 16 }, (_, row) => row));
});

it('a failure that may pass is tried as often as --max-retries says, then it is a row error', async () => {
  const options = jobOptions(input, join(folder.path, 'full'), { batchSize: 16, maxRetries: 2 });
  const clock = new ManualClock();
  let sent = 0;
  const summary = await runFakeJob(options, {
    clock,
    infer: async () => {
      sent += 1;
      throw new MillraceError('QUEUE_FULL', 'the queue is full');
    },
    listener: (event) => {
      if (event.kind === 'retry') {
        setImmediate(() => void clock.advance(10_000_000));
      }
    },
  });
  expect(sent).toBe(3);
  expect(summary).toMatchObject({ state: 'complete', done: 0, failed: 16, retries: 2 });
});

it('a stop sends nothing more, and lets what is in flight be answered', async () => {
  const options = jobOptions(input, join(folder.path, 'stopped'), {
    shardRows: 4,
    batchSize: 4,
    concurrency: 1,
  });
  const stop = new AbortController();
  let sent = 0;
  const summary = await runFakeJob(options, {
    signal: stop.signal,
    infer: async (request) => {
      sent += 1;
      stop.abort();
      return computeFake(request);
    },
  });
  expect(sent).toBe(1);
  expect(summary).toMatchObject({ state: 'partial', stoppedBy: 'signal', done: 4 });
  expect(await runFakeJob(options)).toMatchObject({ state: 'complete', done: 16, resumedRows: 4 });
});
