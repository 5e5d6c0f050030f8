/**
 * Holds the results of a job against its input and its manifest: every row of the input has exactly one result or one
 * error, in order, under its own id; every value is as declared; every file is as it was published. It only reads.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InferClient } from '../../client/infer-client.ts';
import { findDamagedFile } from '../check-files.ts';
import { hashIdentity } from '../job-identity.ts';
import { type JobStatus, readJobStatus } from '../job-status.ts';
import { type JobFile, MANIFEST_FILE, type Manifest } from '../manifest.ts';
import { openInput } from '../source/open-input.ts';
import type { RowSource } from '../source/row-source.ts';
import { checkPartial } from './check-partial.ts';
import { checkRows } from './check-rows.ts';
import { type Problem, ProblemList } from './problem-list.ts';
import { type Recomputation, recomputeRows } from './recompute.ts';
import { ResultSampler } from './result-sampler.ts';

export interface VerifyOptions {
  /** Path of the input; `-` is stdin. How it is written is what the job was told. */
  readonly inputFile: string;
  readonly outputDir: string;
  /** Rows that there must be; undefined: as many as the job has. */
  readonly expectedCount: number | undefined;
  /** NaN and infinities in the results are no problem. */
  readonly allowNonFinite: boolean;
  /** Rows to run again and compare. */
  readonly recompute: number;
}

/** What was found. Results are right when there is no problem; `failed` rows are told apart from missing ones. */
export interface VerifyReport {
  readonly jobId: string;
  readonly problems: readonly Problem[];
  /** Rows that there must be. */
  readonly expected: number;
  /** Rows with a result. */
  readonly results: number;
  /** Rows in errors.jsonl. */
  readonly failed: number;
  readonly nonFiniteValues: number;
  readonly recomputed: Recomputation | undefined;
}

type Findings = Pick<VerifyReport, 'results' | 'failed' | 'nonFiniteValues' | 'recomputed'>;

/**
 * @param client for `recompute`; it has the model of the job loaded.
 * @throws {MillraceError} JOB_NOT_FOUND, INPUT_UNREADABLE, OUTPUT_CORRUPT when the job's own files cannot be read,
 *   REQUEST_CANCELLED.
 */
export async function verifyJob(
  options: VerifyOptions,
  client: InferClient | undefined,
  signal: AbortSignal,
): Promise<VerifyReport> {
  const status = await readJobStatus(options.outputDir);
  const problems = new ProblemList();
  const expected = options.expectedCount ?? status.total;
  const findings = await findProblems(options, status, client, signal, problems);
  const found = findings.results + findings.failed;
  // Of a job that is not finished it is told which rows are missing.
  if (found !== expected && status.manifest !== undefined) {
    problems.add(
      'count',
      `expected ${expected} rows, got ${found}: ${findings.results} results and ${findings.failed} errors`,
    );
  }
  return { jobId: status.job.job_id, expected, ...findings, problems: problems.list() };
}

async function findProblems(
  options: VerifyOptions,
  { job, manifest, pid, total, done, failed, nonFiniteValues }: JobStatus,
  client: InferClient | undefined,
  signal: AbortSignal,
  problems: ProblemList,
): Promise<Findings> {
  if (manifest === undefined) {
    const next =
      pid === undefined
        ? 'run the millrace submit that began it again'
        : `process ${pid} is running it: wait for its end`;
    problems.add('partial', `${done + failed} of ${total} rows are recorded as done; ${next}`);
    const counts = await checkPartial(options.outputDir, job.identity, problems);
    return { ...counts, nonFiniteValues, recomputed: undefined };
  }
  await checkFiles(options.outputDir, job, manifest, problems);
  return withInput(options.inputFile, job, signal, async (source) => {
    if (source.survey.sha256 !== job.identity.input.sha256) {
      problems.add(
        'input-changed',
        `the input has sha256 ${source.survey.sha256}, but the results were made from ${job.identity.input.sha256}, ` +
          `'${job.input_name}'`,
      );
      return { results: done, failed, nonFiniteValues, recomputed: undefined };
    }
    return checkAgainstInput(options, manifest, source, client, signal, problems);
  });
}

/** Files that are not as published. */
async function checkFiles(
  outputDir: string,
  job: JobFile,
  manifest: Manifest,
  problems: ProblemList,
): Promise<void> {
  if (hashIdentity(manifest.identity) !== hashIdentity(job.identity)) {
    problems.add(
      'job-mismatch',
      `'${MANIFEST_FILE}' is that of job '${manifest.job_id}', not of '${job.job_id}'`,
    );
  }
  for (const [file, facts] of Object.entries(manifest.files)) {
    const damage = await findDamagedFile(outputDir, { [file]: facts });
    if (damage !== undefined) {
      problems.add('checksum', damage);
    }
  }
}

async function checkAgainstInput(
  { inputFile, outputDir, allowNonFinite, recompute }: VerifyOptions,
  { identity, done }: Manifest,
  source: RowSource,
  client: InferClient | undefined,
  signal: AbortSignal,
  problems: ProblemList,
): Promise<Findings> {
  const sampler = new ResultSampler(recompute, done);
  const counts = await checkRows({
    outputDir,
    identity,
    source,
    allowNonFinite,
    signal,
    problems,
    onResult: (record) => sampler.offer(record),
  });
  if (client === undefined || recompute === 0) {
    return { ...counts, recomputed: undefined };
  }
  const { samples } = sampler;
  const recomputed = await recomputeRows({ samples, identity, inputFile, source, client, signal, problems });
  return { ...counts, recomputed };
}

/** Opens the input as the job did. Stdin is kept outside of the output directory while it is in use. */
async function withInput<T>(
  inputFile: string,
  { identity }: JobFile,
  signal: AbortSignal,
  use: (source: RowSource) => Promise<T>,
): Promise<T> {
  const spoolDir = await mkdtemp(join(tmpdir(), 'millrace-verify-'));
  try {
    const source = await openInput({
      inputFile,
      inputFormat: identity.input.format,
      encoding: identity.input.encoding ?? undefined,
      delimiter: identity.input.delimiter ?? undefined,
      spoolDir,
      signal,
      onNotice: () => {},
    });
    try {
      return await use(source);
    } finally {
      await source.close();
    }
  } finally {
    await rm(spoolDir, { recursive: true, force: true });
  }
}
