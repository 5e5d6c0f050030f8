/**
 * Holds the results of a job against its input and its manifest: every row of the input has exactly one result or one
 * error, in order, under its own id; every value is as declared; every file is as it was published.
 */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { errorText } from '../../base/errors.ts';
import type { InferClient } from '../../client/infer-client.ts';
import { readFileFacts } from '../durable-file.ts';
import { readJobStatus } from '../job-status.ts';
import { ERRORS_FILE, type JobIdentity, type Manifest } from '../manifest.ts';
import { openInput } from '../source/open-input.ts';
import type { InputFormat, RowSource } from '../source/row-source.ts';
import { type Problem, ProblemList } from './problem-list.ts';
import { parseObject } from './read-jsonl-results.ts';
import { readResults } from './read-results.ts';
import { type Recomputation, recomputeRows } from './recompute.ts';
import { createRowNames, type RowNames } from './row-names.ts';
import { RowSet } from './row-set.ts';

export interface VerifyOptions {
  readonly inputFile: string;
  readonly inputFormat: InputFormat | undefined;
  readonly encoding: string | undefined;
  readonly delimiter: string | undefined;
  readonly outputDir: string;
  /** Rows that there must be; undefined: as many as the input has. */
  readonly expectedCount: number | undefined;
  /** NaN and infinities in the results are no problem. */
  readonly allowNonFinite: boolean;
  /** Rows to run again and compare. */
  readonly recompute: number;
  readonly signal: AbortSignal | undefined;
}

/** What was found. Results are right when there is no problem; `failed` rows are told apart from missing ones. */
export interface VerifyReport {
  readonly jobId: string;
  readonly problems: readonly Problem[];
  /** Rows of the job. */
  readonly expected: number;
  readonly results: number;
  /** Rows in errors.jsonl. */
  readonly failed: number;
  readonly nonFiniteValues: number;
  readonly recomputed: Recomputation | undefined;
}

/**
 * @param client for `recompute`; it has the model of the job loaded.
 * @throws {MillraceError} JOB_NOT_FOUND, INPUT_UNREADABLE, OUTPUT_CORRUPT when the job's own files cannot be read.
 */
export async function verifyJob(
  options: VerifyOptions,
  client: InferClient | undefined,
): Promise<VerifyReport> {
  const { job, manifest, total, done, failed } = await readJobStatus(options.outputDir);
  const problems = new ProblemList();
  const report = {
    jobId: job.job_id,
    expected: options.expectedCount ?? total,
    nonFiniteValues: 0,
    recomputed: undefined,
  };
  if (manifest === undefined) {
    problems.add(
      'partial',
      `the job is not finished: ${done + failed} of ${total} rows are done. Run the millrace submit that began it again`,
    );
    return { ...report, problems: problems.list(), results: done, failed };
  }
  const source = await openInput({
    inputFile: options.inputFile,
    inputFormat: options.inputFormat,
    encoding: options.encoding,
    delimiter: options.delimiter,
    spoolDir: options.outputDir,
    ...(options.signal !== undefined && { signal: options.signal }),
    onNotice: () => {},
  });
  try {
    const { survey } = source;
    if (survey.sha256 !== job.identity.input.sha256) {
      problems.add(
        'input-changed',
        `the input has sha256 ${survey.sha256}, but the results were made from ${job.identity.input.sha256} ('${job.input_name}')`,
      );
      return { ...report, problems: problems.list(), results: done, failed };
    }
    await checkFiles(options.outputDir, manifest, problems);
    const names = createRowNames(source, job.identity);
    const counts = await checkRows(options, job.identity, source, names, problems);
    if (counts.results + counts.failed !== report.expected) {
      const found = `${counts.results} results and ${counts.failed} errors`;
      problems.add(
        'count',
        `expected ${report.expected} rows, got ${counts.results + counts.failed}: ${found}`,
      );
    }
    const recomputed =
      client === undefined || options.recompute === 0
        ? undefined
        : await recomputeRows(options, manifest, source, client, problems);
    return { ...report, ...counts, problems: problems.list(), recomputed };
  } finally {
    await source.close();
  }
}

async function checkFiles(outputDir: string, manifest: Manifest, problems: ProblemList): Promise<void> {
  for (const [file, expected] of Object.entries(manifest.files)) {
    const found = await readFileFacts(join(outputDir, file));
    if (found === undefined) {
      problems.add('checksum', `'${file}' is missing or cannot be read`);
    } else if (found.bytes !== expected.bytes) {
      problems.add('checksum', `'${file}' has ${found.bytes} bytes, expected ${expected.bytes}`);
    } else if (found.sha256 !== expected.sha256) {
      problems.add('checksum', `'${file}' has sha256 ${found.sha256}, expected ${expected.sha256}`);
    }
  }
}

interface RowCounts {
  readonly results: number;
  readonly failed: number;
  readonly nonFiniteValues: number;
}

async function checkRows(
  options: VerifyOptions,
  identity: JobIdentity,
  { survey }: RowSource,
  names: RowNames,
  problems: ProblemList,
): Promise<RowCounts> {
  const withResult = new RowSet(survey.rows);
  const withError = new RowSet(survey.rows);
  const isForeign = (row: number): boolean =>
    !Number.isInteger(row) || row < identity.first_row || row >= survey.rows;
  let lastRow = -1;
  let nonFiniteValues = 0;
  try {
    for await (const read of readResults(options.outputDir, identity)) {
      if (read.kind === 'unreadable') {
        problems.add('unreadable', read.message);
        continue;
      }
      const { row, id, problem } = read.record;
      nonFiniteValues += read.record.nonFiniteValues;
      if (isForeign(row)) {
        problems.add('foreign', `'${id}', row ${row}, is no row of the job`);
        continue;
      }
      if (withResult.has(row)) {
        problems.add('doubled', `'${id}', row ${row}, has more than one result`);
      } else if (row < lastRow) {
        problems.add('misplaced', `'${id}', row ${row}, stands behind row ${lastRow}`);
      }
      withResult.add(row);
      lastRow = Math.max(lastRow, row);
      const expectedId = await names.nameOf(row);
      if (id !== expectedId) {
        problems.add('id', `row ${row} has the id '${id}', expected '${expectedId}'`);
      }
      if (problem !== undefined) {
        problems.add('value', `'${id}', row ${row}: ${problem}`);
      }
      if (read.record.nonFiniteValues > 0 && !options.allowNonFinite) {
        problems.add(
          'non-finite',
          `'${id}', row ${row}, holds NaN or infinities (--allow-non-finite takes them)`,
        );
      }
    }
  } catch (error) {
    problems.add('unreadable', errorText(error));
  }
  for await (const row of readErrorRows(options.outputDir, problems)) {
    if (isForeign(row)) {
      problems.add('foreign', `row ${row} of '${ERRORS_FILE}' is no row of the job`);
    } else if (withError.has(row) || withResult.has(row)) {
      problems.add(
        'doubled',
        `'${await names.nameOf(row)}', row ${row}, has an error and another error or a result`,
      );
    } else {
      withError.add(row);
    }
  }
  for (let row = identity.first_row; row < survey.rows; row += 1) {
    if (!withResult.has(row) && !withError.has(row)) {
      problems.add('missing', `'${await names.nameOf(row)}', row ${row}`);
    }
  }
  return { results: withResult.size, failed: withError.size, nonFiniteValues };
}

async function* readErrorRows(outputDir: string, problems: ProblemList): AsyncGenerator<number> {
  const path = join(outputDir, ERRORS_FILE);
  if ((await readFileFacts(path)) === undefined) {
    // Without errors there is no such file; one that is missing is found by its checksum.
    return;
  }
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(path) })) {
    line += 1;
    const row = parseObject(text)?.row;
    if (typeof row === 'number') {
      yield row;
    } else {
      problems.add('unreadable', `line ${line} of '${path}' is no error of a row`);
    }
  }
}
