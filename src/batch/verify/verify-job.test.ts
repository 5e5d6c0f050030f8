import { appendFileSync, cpSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assembleTensor } from '../../tensor/create-tensor.ts';
import type { NamedTensors } from '../../tensor/tensor.ts';
import type { OutputFormat } from '../job-options.ts';
import { computeFake, createFakeClient, valuesOf } from '../testing/fake-client.ts';
import { createFinishedJobs, editLines, type FinishedJobs, shownProblems } from '../testing/finished-jobs.ts';
import { numberedCsv, readFolder } from '../testing/job-folder.ts';
import { verifyJob } from './verify-job.ts';

const ROWS = 100;

let jobs: FinishedJobs;

beforeAll(async () => {
  jobs = createFinishedJobs(ROWS);
  for (const format of ['jsonl', 'csv', 'npy'] as const) {
    await jobs.submit(format, { outputFormat: format });
  }
});

afterAll(() => jobs.folder.remove());

describe.each<[OutputFormat, string, number]>([
  ['jsonl', 'results.jsonl', 0],
  ['csv', 'results.csv', 1],
  ['npy', 'index.jsonl', 0],
])('results as %s', (format, file, header) => {
  it('has no problem with a good job, and changes nothing', async () => {
    const before = readFolder(join(jobs.folder.path, format));
    expect(await jobs.verify(format, { expectedCount: ROWS, recompute: 10 }, createFakeClient())).toEqual({
      jobId: expect.stringMatching(/^job_/),
      problems: [],
      expected: ROWS,
      results: ROWS,
      failed: 0,
      nonFiniteValues: 0,
      recomputed: { rows: 10, same: 10, close: 0, nondeterministicNodes: [] },
    });
    expect(readFolder(join(jobs.folder.path, format))).toEqual(before);
  });

  it('names a row that was left out without a word', async () => {
    const copy = jobs.damage(format, (path) =>
      editLines(path(file), (lines) => lines.toSpliced(header + 92, 1)),
    );
    const report = await jobs.verify(copy);
    expect(shownProblems(report)).toMatchObject({
      checksum: [expect.stringContaining(file)],
      missing: ["'r92', row 92"],
      count: ['expected 100 rows, got 99: 99 results and 0 errors'],
    });
  });

  it('names a row that stands twice', async () => {
    const copy = jobs.damage(format, (path) =>
      editLines(path(file), (lines) => lines.toSpliced(header + 8, 0, lines[header + 7] ?? '')),
    );
    expect(shownProblems(await jobs.verify(copy)).doubled).toEqual(["'r7', row 7, has more than one result"]);
  });

  it('names a row that is not of the job', async () => {
    const copy = jobs.damage(format, (path) =>
      editLines(path(file), (lines) => [...lines, (lines[header + 7] ?? '').replaceAll('7', '777')]),
    );
    expect(shownProblems(await jobs.verify(copy)).foreign).toEqual(["'r777', row 777, is no row of the job"]);
  });

  it.each([
    ['to the front', 60, 0, "'r0', row 0, stands behind row 60"],
    ['to the end', 60, ROWS - 1, "'r60', row 60, stands behind row 99"],
  ])('names a row that was moved %s, and it alone', async (_, from, to, shown) => {
    const copy = jobs.damage(format, (path) =>
      editLines(path(file), (lines) =>
        lines.toSpliced(header + from, 1).toSpliced(header + to, 0, lines[header + from] ?? ''),
      ),
    );
    expect(shownProblems(await jobs.verify(copy)).misplaced).toEqual([shown]);
  });

  it('names a row under the id of another', async () => {
    const copy = jobs.damage(format, (path) =>
      editLines(path(file), (lines) =>
        lines.with(header + 5, (lines[header + 5] ?? '').replace('r5', 'r50')),
      ),
    );
    expect(shownProblems(await jobs.verify(copy)).id).toEqual(["row 5 has the id 'r50', expected 'r5'"]);
  });

  it('finds a line that is no result, and goes on behind it', async () => {
    const copy = jobs.damage(format, (path) =>
      editLines(path(file), (lines) => lines.with(header + 5, '{"row":')),
    );
    const report = await jobs.verify(copy);
    expect(shownProblems(report)).toMatchObject({
      unreadable: [expect.stringContaining(`line ${header + 6} of`)],
      missing: ["'r5', row 5"],
    });
  });

  it.each([
    ['gone', (path: string) => rmSync(path)],
    ['empty', (path: string) => truncateSync(path)],
    ['half there', (path: string) => truncateSync(path, 700)],
    ['other bytes', (path: string) => writeFileSync(path, Buffer.alloc(5000, 0xff))],
  ])('finds a file that is %s, and recomputes what is left', async (_, change) => {
    const copy = jobs.damage(format, (path) => change(path(file)));
    const report = await jobs.verify(copy, { recompute: 10 }, createFakeClient());
    expect(report.problems.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['checksum', 'missing', 'count']),
    );
    expect(report.recomputed?.same).toBe(report.recomputed?.rows);
  });

  it('takes ids of any text, wherever it lies in the file', async () => {
    const ids = Array.from({ length: 30_000 }, (_, row) => `"ü中😀\u2028, ""q""\n${row}"`);
    const text = `id,x0,x1,x2\n${ids.map((id) => `${id},1,2,3`).join('\n')}\n`;
    const inputFile = jobs.folder.writeInput(`${format}-ids.csv`, text);
    const name = `${format}-ids`;
    await jobs.submit(name, { inputFile, outputFormat: format, shardRows: 8192 });
    expect((await jobs.verify(name, { inputFile })).problems).toEqual([]);
  });
});

describe('values', () => {
  it.each([
    ['another shape', '[0,0.5,0]', '[0,0.5]', "output 'double' has shape [2], expected [3]"],
    ['another datatype', '"sum":0.25', '"sum":"x"', "output 'sum': expected a number, got 'x'"],
    ['no value', '"sum":0.25,', '', "output 'sum' is missing"],
    ['an output too many', '"sum":', '"mean":1,"sum":', "output 'mean' is not one of the job"],
  ])('names a row with %s', async (_, from, to, problem) => {
    const copy = jobs.damage('jsonl', (path) =>
      editLines(path('results.jsonl'), ([first = '', ...rest]) => [
        first.replace('[0,0.5,-0]', '[0,0.5,0]').replace(from, to),
        ...rest,
      ]),
    );
    expect(shownProblems(await jobs.verify(copy)).value).toEqual([`'r0', row 0: ${problem}`]);
  });

  it('names a CSV row with a value of another datatype, and a header of another job', async () => {
    const copy = jobs.damage('csv', (path) =>
      editLines(path('results.csv'), ([header = '', first = '', ...rest]) => [
        header.replace('output_sum', 'sum'),
        first.replace('0.25', 'x'),
        ...rest,
      ]),
    );
    expect(shownProblems(await jobs.verify(copy))).toMatchObject({
      unreadable: [expect.stringContaining('the header of')],
      value: ["'r0', row 0: output 'sum': expected a number, got 'x'"],
    });
  });

  it('names an array of NumPy that is cut, or of another type', async () => {
    const cut = jobs.damage('npy', (path) => truncateSync(path('sum.npy'), 128 + 8 * 99));
    expect(shownProblems(await jobs.verify(cut)).value).toEqual([expect.stringContaining('has no entry 99')]);
    const other = jobs.damage('npy', (path) => cpSync(path('double.npy'), path('sum.npy')));
    expect(shownProblems(await jobs.verify(other)).unreadable).toEqual([
      expect.stringContaining('is no array of FP64 [1] a row'),
    ]);
  });

  it('counts NaN and infinities, and takes them when told to', async () => {
    const infer = async (request: Parameters<typeof computeFake>[0]): Promise<NamedTensors> => {
      const outputs = new Map(computeFake(request));
      const sums = valuesOf(request).filter((_, index) => index % 3 === 0);
      const data = Float64Array.from(sums, (value) => (value % 10 === 3 ? Number.NaN : 1 / (value - 50)));
      return outputs.set('sum', assembleTensor('FP64', [data.length, 1], data));
    };
    for (const outputFormat of ['jsonl', 'csv', 'npy'] as const) {
      const name = `nan-${outputFormat}`;
      await jobs.submit(name, { outputFormat }, { infer });
      const report = await jobs.verify(name);
      expect(report).toMatchObject({ nonFiniteValues: 11, problems: [{ kind: 'non-finite', count: 11 }] });
      expect(report.problems[0]?.shown[0]).toContain("'r3', row 3, holds NaN");
      expect(await jobs.verify(name, { allowNonFinite: true })).toMatchObject({
        nonFiniteValues: 11,
        problems: [],
      });
    }
  });
});

describe('rows that failed', () => {
  const text = numberedCsv(ROWS).replace('r7,7,', 'r7,x,').replace('r50,50,', 'r50,,');

  beforeAll(async () => {
    await jobs.submit('failed', { inputFile: jobs.folder.writeInput('failed.csv', text) });
  });

  const verifyFailed = (name: string) =>
    jobs.verify(name, { inputFile: join(jobs.folder.path, 'failed.csv') });

  it('are no problem, and counted', async () => {
    expect(await verifyFailed('failed')).toMatchObject({ problems: [], results: 98, failed: 2 });
  });

  it('are missing when their error is gone', async () => {
    const copy = jobs.damage('failed', (path) => editLines(path('errors.jsonl'), ([first = '']) => [first]));
    expect(shownProblems(await verifyFailed(copy)).missing).toEqual(["'r50', row 50"]);
    const gone = jobs.damage('failed', (path) => rmSync(path('errors.jsonl')));
    expect(shownProblems(await verifyFailed(gone))).toMatchObject({
      checksum: [expect.stringContaining('is missing')],
      missing: ["'r7', row 7", "'r50', row 50"],
    });
  });

  it('are named when they have a result too, stand twice, out of order, or under another id', async () => {
    const copy = jobs.damage('failed', (path) =>
      editLines(path('errors.jsonl'), ([first = '', second = '']) => [
        second,
        first.replace('"r7"', '"r8"'),
        first,
        first.replace('"row":7', '"row":9'),
        'no error',
      ]),
    );
    expect(shownProblems(await verifyFailed(copy))).toMatchObject({
      misplaced: ["'r8', row 7, stands behind row 50 in 'errors.jsonl'"],
      id: ["row 7 has the id 'r8', expected 'r7'"],
      doubled: ["'r7', row 7, has more than one error", "'r7', row 9, has a result and an error"],
      unreadable: [expect.stringContaining('line 5 of')],
    });
  });
});

describe('the input', () => {
  it('must be the one that the results were made from', async () => {
    const other = jobs.folder.writeInput('other.csv', numberedCsv(ROWS).replace('r7,7,', 'r7,8,'));
    expect(shownProblems(await jobs.verify('jsonl', { inputFile: other }))['input-changed']).toEqual([
      expect.stringContaining("'input.csv'"),
    ]);
  });

  it('is read as the job was told to read it', async () => {
    const inputFile = jobs.folder.writeInput('rows.txt', numberedCsv(ROWS).replaceAll(',', '#'));
    await jobs.submit('hashes', { inputFile, delimiter: '#' });
    expect((await jobs.verify('hashes', { inputFile })).problems).toEqual([]);
  });

  it('may have been begun in the middle', async () => {
    await jobs.submit('from-30', { resumeFrom: 30 });
    expect(await jobs.verify('from-30')).toMatchObject({ problems: [], expected: 70, results: 70 });
    expect(shownProblems(await jobs.verify('from-30', { expectedCount: 100 })).count).toEqual([
      'expected 100 rows, got 70: 70 results and 0 errors',
    ]);
  });

  it('is not read to the end once the command is stopped', async () => {
    const options = {
      inputFile: jobs.input,
      outputDir: join(jobs.folder.path, 'jsonl'),
      expectedCount: undefined,
    };
    const signal = AbortSignal.abort();
    await expect(
      verifyJob({ ...options, allowNonFinite: false, recompute: 0 }, undefined, signal),
    ).rejects.toMatchObject({ reason: 'REQUEST_CANCELLED' });
  });
});

it('J10: finds a finished job under the name of another', async () => {
  await jobs.submit('smaller', { batchSize: 4 });
  const copy = jobs.damage('jsonl', (path) =>
    cpSync(join(jobs.folder.path, 'smaller', 'manifest.json'), path('manifest.json')),
  );
  expect(shownProblems(await jobs.verify(copy))['job-mismatch']).toEqual([
    expect.stringContaining("'manifest.json' is that of"),
  ]);
});

it('refuses a folder without a job, and files that are not of Millrace', async () => {
  await expect(jobs.verify('nothing')).rejects.toMatchObject({ reason: 'JOB_NOT_FOUND' });
  const copy = jobs.damage('jsonl', (path) => appendFileSync(path('job.json'), '}'));
  await expect(jobs.verify(copy)).rejects.toMatchObject({ reason: 'OUTPUT_CORRUPT' });
});
