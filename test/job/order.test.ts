import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MillraceError } from '../../src/base/errors.ts';
import { ManualClock, settle } from '../../src/base/testing/manual-clock.ts';
import { computeFake, valuesOf } from '../../src/batch/testing/fake-client.ts';
import {
  createJobFolder,
  type JobFolder,
  jobOptions,
  numberedCsv,
  readFolder,
  readJsonLines,
} from '../../src/batch/testing/job-folder.ts';
import { runFakeJob } from './run-fake-job.ts';

const ROWS = 36;

let folder: JobFolder;
let input: string;

beforeAll(() => {
  folder = createJobFolder();
  input = folder.writeInput('rows.csv', numberedCsv(ROWS));
});

afterAll(() => folder.remove());

/** Twelve shards, so that by name shard 10 would come before shard 2. */
function optionsFor(name: string, concurrency: number) {
  return jobOptions(input, join(folder.path, name), { shardRows: 3, batchSize: 1, concurrency });
}

/** Answers the requests in flight last come first. */
function createStack(): <T>(answer: T) => Promise<T> {
  const waiting: (() => void)[] = [];
  return async (answer) => {
    const answered = new Promise<void>((resolve) => waiting.push(resolve));
    await settle();
    waiting.pop()?.();
    await answered;
    return answer;
  };
}

it('J09: results are in the order of the input, the same bytes at concurrency 1 and 8', async () => {
  const alone = optionsFor('alone', 1);
  await runFakeJob(alone);
  const crowded = optionsFor('crowded', 8);
  const answerLast = createStack();
  await runFakeJob(crowded, { infer: async (request) => answerLast(computeFake(request)) });
  const lines = readJsonLines(join(crowded.outputDir, 'results.jsonl'));
  expect(lines.map(({ row }) => row)).toEqual(Array.from({ length: ROWS }, (_, row) => row));
  expect(readFolder(crowded.outputDir)).toEqual(readFolder(alone.outputDir));
});

it('J09: a shard that is tried again and ends last keeps its place', async () => {
  const expected = optionsFor('untroubled', 1);
  await runFakeJob(expected);
  const options = optionsFor('troubled', 8);
  const clock = new ManualClock();
  let failures = 0;
  const retried: number[] = [];
  const summary = await runFakeJob(options, {
    clock,
    infer: async (request) => {
      if (valuesOf(request)[0] === 4 && failures < 2) {
        failures += 1;
        throw new MillraceError('QUEUE_FULL', 'later');
      }
      return computeFake(request);
    },
    listener: (event) => {
      if (event.kind === 'retry') {
        retried.push(event.attempt);
        setImmediate(() => void clock.advance(10_000_000));
      }
    },
  });
  expect(retried).toEqual([1, 2]);
  expect(summary).toMatchObject({ state: 'complete', done: ROWS, failed: 0, retries: 2 });
  expect(readFolder(options.outputDir)).toEqual(readFolder(expected.outputDir));
});
