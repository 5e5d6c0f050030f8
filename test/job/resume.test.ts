import { appendFileSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobOptions } from '../../src/batch/job-options.ts';
import { readJobStatus } from '../../src/batch/job-status.ts';
import { FAKE_MODEL } from '../../src/batch/testing/fake-client.ts';
import {
  createJobFolder,
  type JobFolder,
  jobOptions,
  numberedCsv,
  readFolder,
  readJsonLines,
} from '../../src/batch/testing/job-folder.ts';
import { runFakeJob } from './run-fake-job.ts';

const ROWS = 60;

let folder: JobFolder;
let input: string;
let expected: ReadonlyMap<string, string>;

beforeAll(async () => {
  folder = createJobFolder();
  input = folder.writeInput('rows.csv', numberedCsv(ROWS));
  const options = optionsFor('uninterrupted');
  await runFakeJob(options);
  expected = readFolder(options.outputDir);
});

afterAll(() => folder.remove());

function optionsFor(name: string, changed: Partial<JobOptions> = {}): JobOptions {
  const outputDir = join(folder.path, name);
  return jobOptions(input, outputDir, { idColumn: 'id', shardRows: 10, concurrency: 1, ...changed });
}

/** Runs a job until its third shard is recorded. */
async function runHalf(options: JobOptions): Promise<void> {
  const stop = new AbortController();
  let recorded = 0;
  const summary = await runFakeJob(options, {
    signal: stop.signal,
    listener: ({ kind }) => {
      recorded += kind === 'shard-recorded' ? 1 : 0;
      if (recorded === 3) {
        stop.abort();
      }
    },
  });
  expect(summary).toMatchObject({ state: 'partial', stoppedBy: 'signal' });
  expect(summary.done).toBeGreaterThanOrEqual(30);
}

describe('J10: what is there is no proof of being done', () => {
  const damages: readonly (readonly [string, (options: JobOptions) => void])[] = [
    ['an empty shard file', ({ outputDir }) => truncateSync(partOf(outputDir), 0)],
    ['half a line', ({ outputDir }) => truncateSync(partOf(outputDir), 25)],
    ['a missing shard file', ({ outputDir }) => rmSync(partOf(outputDir))],
    ['a file of another checksum', ({ outputDir }) => replaceIn(partOf(outputDir), '"row":0', '"row":9')],
    [
      'an entry of another checksum',
      ({ outputDir }) => replaceIn(manifestOf(outputDir), /"sha256":"....../, '"sha256":"000000'),
    ],
    [
      'an entry of another row count',
      ({ outputDir }) => replaceIn(manifestOf(outputDir), '"done":10', '"done":9'),
    ],
    [
      'an entry that is cut',
      ({ outputDir }) => truncateSync(manifestOf(outputDir), readFileSync(manifestOf(outputDir)).length - 20),
    ],
    [
      'a full file without an entry',
      ({ outputDir }) =>
        writeFileSync(
          manifestOf(outputDir),
          readFileSync(manifestOf(outputDir), 'utf8').split('\n').slice(1).join('\n'),
        ),
    ],
    ['a strange entry', ({ outputDir }) => appendFileSync(manifestOf(outputDir), '{"shard":4}\nnull\n[]\n')],
  ];

  it.each(damages)('J10: %s', async (name, damage) => {
    const options = optionsFor(name.replaceAll(' ', '-'));
    await runHalf(options);
    damage(options);
    const summary = await runFakeJob(options);
    expect(summary).toMatchObject({ state: 'complete', alreadyComplete: false, done: ROWS });
    expect(summary.resumedRows).toBeGreaterThanOrEqual(20);
    expect(summary.resumedRows).toBeLessThan(ROWS);
    expect(readFolder(options.outputDir)).toEqual(expected);
  });

  it('J10: an entry for a shard of another job is refused', async () => {
    const options = optionsFor('mixed');
    await runHalf(options);
    replaceIn(manifestOf(options.outputDir), /"job":"[0-9a-f]{16}"/, '"job":"0000000000000000"');
    await expect(runFakeJob(options)).rejects.toMatchObject({ reason: 'JOB_MISMATCH' });
  });

  it('J10: a finished job with a damaged file is done again', async () => {
    const options = optionsFor('finished');
    await runFakeJob(options);
    truncateSync(join(options.outputDir, 'results.jsonl'), 100);
    const notices: string[] = [];
    const summary = await runFakeJob(options, {
      listener: (event) => event.kind === 'notice' && notices.push(event.message),
    });
    expect(summary).toMatchObject({ alreadyComplete: false, done: ROWS });
    expect(notices.join()).toContain('results.jsonl');
    expect(readFolder(options.outputDir)).toEqual(expected);
  });
});

describe('J08: the same job again', () => {
  it('J08: is already complete after completion, resumed after a stop', async () => {
    const options = optionsFor('again');
    await runHalf(options);
    expect(await readJobStatus(options.outputDir)).toMatchObject({
      state: 'partial',
      total: ROWS,
      shards: 6,
    });
    expect((await runFakeJob(options)).resumedRows).toBeGreaterThanOrEqual(30);
    expect(await readJobStatus(options.outputDir)).toMatchObject({
      state: 'complete',
      done: ROWS,
      failed: 0,
    });
    expect(await runFakeJob(options)).toMatchObject({ alreadyComplete: true, done: ROWS });
  });

  it('J08: with a changed input, model, mapping or option is refused, and told what differs', async () => {
    const options = optionsFor('changed', { jobId: 'mine' });
    await runHalf(options);
    const other = folder.writeInput('other.csv', numberedCsv(ROWS).replace('r7,', 'r7777,'));
    const changes: readonly (readonly [Partial<JobOptions>, string])[] = [
      [{ inputFile: other }, 'input.sha256'],
      [{ map: ['x=x2,x1,x0'] }, 'mapping'],
      [{ batchSize: 4 }, 'batch_size'],
      [{ keep: ['id'] }, 'keep'],
      [{ outputs: ['sum'] }, 'outputs'],
      [{ jobId: 'yours' }, 'job_id'],
    ];
    for (const [change, difference] of changes) {
      const refused = runFakeJob({ ...options, ...change });
      await expect(refused).rejects.toMatchObject({
        reason: 'JOB_MISMATCH',
        message: expect.stringContaining(difference),
      });
    }
    const model = { ...FAKE_MODEL, sha256: 'b'.repeat(64) };
    await expect(runFakeJob(options, { model })).rejects.toMatchObject({ reason: 'JOB_MISMATCH' });
    expect(await runFakeJob(options)).toMatchObject({ jobId: 'mine', state: 'complete', done: ROWS });
  });

  it('J08: ids that stand twice are refused with both lines, or carried when allowed', async () => {
    const doubled = folder.writeInput('doubled.csv', 'id,x0,x1,x2\na,1,1,1\n1,1,1,1\n01,1,1,1\na,2,2,2\n');
    const options = optionsFor('doubled', { inputFile: doubled });
    await expect(runFakeJob(options)).rejects.toMatchObject({
      reason: 'ID_DUPLICATE',
      message: expect.stringMatching(/'a' on lines 2 and 5/),
    });
    expect(await runFakeJob({ ...options, allowDuplicateIds: true })).toMatchObject({ done: 4, failed: 0 });
    const ids = readJsonLines(join(options.outputDir, 'results.jsonl')).map(({ input_id }) => input_id);
    expect(ids).toEqual(['a', '1', '01', 'a']);
  });
});

describe('--resume-from', () => {
  it('begins a new job at that row', async () => {
    const options = optionsFor('from-27', { resumeFrom: 27 });
    expect(await runFakeJob(options)).toMatchObject({ total: ROWS - 27, done: ROWS - 27 });
    const lines = readJsonLines(join(options.outputDir, 'results.jsonl'));
    expect(lines.map(({ row }) => row)).toEqual(Array.from({ length: ROWS - 27 }, (_, index) => 27 + index));
  });

  it('goes on with a job that began without it: no row is lost, none stands twice', async () => {
    const options = optionsFor('died-at-57');
    await runHalf(options);
    expect(await runFakeJob({ ...options, resumeFrom: 57 })).toMatchObject({ state: 'complete', done: ROWS });
    expect(readFolder(options.outputDir)).toEqual(expected);
  });
});

function manifestOf(outputDir: string): string {
  return join(outputDir, 'manifest.jsonl');
}

/** The first shard's part of the results. */
function partOf(outputDir: string): string {
  const [name = ''] = readdirSync(join(outputDir, 'shards')).sort();
  return join(outputDir, 'shards', name);
}

function replaceIn(path: string, search: string | RegExp, replacement: string): void {
  writeFileSync(path, readFileSync(path, 'utf8').replace(search, replacement));
}
