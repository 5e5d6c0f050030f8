import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MillraceError } from '../../src/base/errors.ts';
import { computeFake, valuesOf } from '../../src/batch/testing/fake-client.ts';
import {
  createJobFolder,
  type JobFolder,
  jobOptions,
  numberedCsv,
  readJsonLines,
} from '../../src/batch/testing/job-folder.ts';
import type { InferenceRequest } from '../../src/inference/request.ts';
import { assembleTensor } from '../../src/tensor/create-tensor.ts';
import { sliceRows } from '../../src/tensor/split.ts';
import type { NamedTensors, Tensor } from '../../src/tensor/tensor.ts';
import { runFakeJob } from './run-fake-job.ts';

let folder: JobFolder;

beforeAll(() => {
  folder = createJobFolder();
});

afterAll(() => folder.remove());

function readErrors(outputDir: string): Record<string, unknown>[] {
  return readJsonLines(join(outputDir, 'errors.jsonl'));
}

function rowsOf(lines: readonly Record<string, unknown>[]): unknown[] {
  return lines.map(({ row }) => row);
}

describe('J07: bad rows', () => {
  it('J07: three of a thousand CSV rows are told with line, id, stage and message, the others have results', async () => {
    const lines = numberedCsv(1000).split('\n');
    lines[501] = 'r500,1,2';
    lines[502] = 'r501,NaN,1,2';
    lines[503] = 'r502,,1,2';
    const options = jobOptions(
      folder.writeInput('thousand.csv', lines.join('\n')),
      join(folder.path, 'thousand'),
      {
        idColumn: 'id',
      },
    );
    const summary = await runFakeJob(options);
    expect(summary).toMatchObject({ state: 'complete', total: 1000, done: 997, failed: 3 });
    const results = readJsonLines(join(options.outputDir, 'results.jsonl'));
    expect(rowsOf(results)).toEqual(
      Array.from({ length: 1000 }, (_, row) => row).filter((row) => row < 500 || row > 502),
    );
    const errors = readErrors(options.outputDir);
    expect(errors.map(({ row, line, stage, reason }) => [row, line, stage, reason])).toEqual([
      [500, 502, expect.stringMatching(/^read$|^map$/), 'ROW_INVALID'],
      [501, 503, 'map', 'ROW_INVALID'],
      [502, 504, 'map', 'ROW_INVALID'],
    ]);
    expect(errors.map(({ input_id }) => input_id)).toEqual([expect.any(String), 'r501', 'r502']);
    expect(errors.every(({ message }) => typeof message === 'string' && message.length > 10)).toBe(true);
  });

  it('J07: JSON lines that are no objects, broken, or have a value of another kind', async () => {
    const bad = [
      '[1,2]',
      'null',
      '"s"',
      '42',
      '{}',
      '{"x":[1,2',
      '{"x":[1,2]}',
      '{"x":[1,2,3,4]}',
      '{"x":null}',
      '{"x":[1,"2",3]}',
      '{"x":[1,null,3]}',
      '{"x":"1"}',
    ];
    const good = '{"x":[1,2,3]}';
    const text = bad.flatMap((line) => [good, line]).join('\n');
    const options = jobOptions(
      folder.writeInput('bad.jsonl', `${text}\n\n${good}`),
      join(folder.path, 'bad-lines'),
    );
    const summary = await runFakeJob(options);
    expect(summary).toMatchObject({ done: bad.length + 1, failed: bad.length });
    expect(rowsOf(readErrors(options.outputDir))).toEqual(bad.map((_, index) => 2 * index + 1));
    expect(readErrors(options.outputDir).map(({ line }) => line)).toEqual(
      bad.map((_, index) => 2 * index + 2),
    );
    expect(rowsOf(readJsonLines(join(options.outputDir, 'results.jsonl'))).at(-1)).toBe(2 * bad.length);
  });

  it('J07: a batch with a guilty row is divided until that row is alone', async () => {
    const options = jobOptions(
      folder.writeInput('guilty.csv', numberedCsv(100)),
      join(folder.path, 'guilty'),
      {
        batchSize: 32,
      },
    );
    let requests = 0;
    const summary = await runFakeJob(options, {
      infer: async (request) => {
        requests += 1;
        if (valuesOf(request).includes(37)) {
          throw new MillraceError('EXECUTION_FAILED', 'index 37 is out of range');
        }
        return computeFake(request);
      },
    });
    expect(summary).toMatchObject({ done: 99, failed: 1 });
    expect(readErrors(options.outputDir)).toEqual([
      {
        input_id: 'rec_00037',
        row: 37,
        line: 39,
        stage: 'infer',
        reason: 'EXECUTION_FAILED',
        message: 'index 37 is out of range',
        attempts: 6,
      },
    ]);
    expect(requests).toBe(4 + 2 * 5);
  });

  it('J07: a row that fails only among others has a result', async () => {
    const options = jobOptions(folder.writeInput('shy.csv', numberedCsv(40)), join(folder.path, 'shy'));
    const summary = await runFakeJob(options, {
      infer: async (request) => {
        const values = valuesOf(request);
        if (values.includes(21) && values.length > 3) {
          throw new MillraceError('EXECUTION_FAILED', 'too many');
        }
        return computeFake(request);
      },
    });
    expect(summary).toMatchObject({ done: 40, failed: 0, errorsFile: undefined });
    expect(existsSync(join(options.outputDir, 'errors.jsonl'))).toBe(false);
  });

  it('J07: --max-errors stops early, keeps what is done, and a larger number goes on', async () => {
    const lines = numberedCsv(200)
      .split('\n')
      .map((line, index) => (index > 0 && index % 5 === 0 ? 'bad' : line));
    const options = jobOptions(folder.writeInput('many.csv', lines.join('\n')), join(folder.path, 'many'), {
      shardRows: 10,
      concurrency: 1,
      maxErrors: 4,
    });
    const stopped = await runFakeJob(options);
    expect(stopped).toMatchObject({ state: 'partial', stoppedBy: 'max-errors' });
    expect(stopped.failed).toBeGreaterThan(4);
    expect(stopped.done + stopped.failed).toBeLessThan(200);
    expect(readErrors(options.outputDir)).toHaveLength(stopped.failed);
    const again = await runFakeJob(options);
    expect(again).toMatchObject({
      state: 'partial',
      stoppedBy: 'max-errors',
      done: stopped.done,
      failed: stopped.failed,
    });
    const complete = await runFakeJob({ ...options, maxErrors: 40 });
    expect(complete).toMatchObject({
      state: 'complete',
      done: 160,
      failed: 40,
      resumedRows: stopped.done + stopped.failed,
    });
    expect(readErrors(options.outputDir)).toHaveLength(40);
  });

  it('J07: a job of bad rows alone is complete, and so is one without rows', async () => {
    const bad = jobOptions(
      folder.writeInput('all-bad.csv', 'x0,x1,x2\na,b,c\n1,2,\n'),
      join(folder.path, 'all-bad'),
    );
    expect(await runFakeJob(bad)).toMatchObject({ state: 'complete', done: 0, failed: 2 });
    const none = jobOptions(folder.writeInput('none.csv', 'x0,x1,x2\n'), join(folder.path, 'none'));
    expect(await runFakeJob(none)).toMatchObject({ state: 'complete', total: 0, done: 0, failed: 0 });
    expect(await runFakeJob(none)).toMatchObject({ state: 'complete', alreadyComplete: true });
  });
});

describe('J14: answers that are no answers', () => {
  const kinds: readonly (readonly [string, (request: InferenceRequest) => NamedTensors, string])[] = [
    ['no outputs', () => new Map(), "output 'sum' is missing"],
    [
      'another name',
      (request) => new Map([...computeFake(request)].map(([name, tensor]) => [`${name}_`, tensor])),
      "'sum'",
    ],
    ['one output less', (request) => new Map([...computeFake(request)].slice(0, 1)), "'double'"],
    [
      'fewer rows',
      (request) => withoutLastRow(computeFake(request)),
      'came with shape [0,1], expected [1,1]',
    ],
    [
      'another datatype',
      (request) =>
        withSum(request, assembleTensor('INT64', [rowsIn(request), 1], new BigInt64Array(rowsIn(request)))),
      'INT64',
    ],
    [
      'another shape',
      (request) =>
        withSum(request, assembleTensor('FP64', [rowsIn(request), 2], new Float64Array(2 * rowsIn(request)))),
      'came with shape [1,2]',
    ],
    [
      'less data than its shape',
      (request) => withSum(request, assembleTensor('FP64', [rowsIn(request), 1], new Float64Array(0))),
      'has 0 values',
    ],
  ];

  it.each(kinds)('J14: %s is a row error, never a result', async (name, answer, told) => {
    const outputDir = join(folder.path, `answer-${name.replaceAll(' ', '-')}`);
    const options = jobOptions(folder.writeInput('rows.csv', numberedCsv(24)), outputDir);
    // Rows 8 to 15 are one batch, and a single row of it is answered in the same wrong way.
    const summary = await runFakeJob(options, {
      infer: async (request) =>
        valuesOf(request).some((value) => value >= 8 && value < 15.5 && Number.isInteger(value))
          ? answer(request)
          : computeFake(request),
    });
    expect(summary.done + summary.failed).toBe(24);
    const errors = readErrors(outputDir);
    expect(errors).toHaveLength(8);
    expect(errors.every(({ stage, reason }) => stage === 'output' && reason === 'RESPONSE_INVALID')).toBe(
      true,
    );
    expect(rowsOf(errors).every((row) => Number(row) >= 8 && Number(row) < 16)).toBe(true);
    expect(String(errors[0]?.message)).toContain(told);
    expect(
      [...rowsOf(errors), ...rowsOf(readJsonLines(join(outputDir, 'results.jsonl')))].sort(byNumber),
    ).toEqual(Array.from({ length: 24 }, (_, row) => row));
  });

  it('J14: a client that throws something else makes row errors', async () => {
    const options = jobOptions(folder.writeInput('html.csv', numberedCsv(10)), join(folder.path, 'html'));
    const summary = await runFakeJob(options, {
      infer: () => Promise.reject(new SyntaxError('Unexpected token < in JSON at position 0')),
    });
    expect(summary).toMatchObject({ state: 'complete', done: 0, failed: 10 });
    expect(readErrors(options.outputDir)[0]).toMatchObject({
      stage: 'infer',
      reason: 'INTERNAL_ERROR',
      attempts: 1,
    });
  });
});

function byNumber(a: unknown, b: unknown): number {
  return Number(a) - Number(b);
}

function rowsIn(request: InferenceRequest): number {
  return valuesOf(request).length / 3;
}

function withSum(request: InferenceRequest, sum: Tensor): NamedTensors {
  return new Map([...computeFake(request), ['sum', sum]]);
}

function withoutLastRow(outputs: NamedTensors): NamedTensors {
  return new Map(
    [...outputs].map(([name, tensor]) => [name, sliceRows(tensor, 0, (tensor.shape[0] ?? 1) - 1)]),
  );
}
