/**
 * A batch job from beginning to end:
 *
 *     open input -> prepare (model, mapping, identity, plan) -> the shards that are not done -> finalise
 *
 * The output directory is the only state. It is new, or holds a job that is not finished (`manifest.jsonl`), or one that is
 * complete (`manifest.json`); a job that is complete can be opened again to run its failed rows once more.
 */
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Clock, systemClock } from '../base/clock.ts';
import { MillraceError } from '../base/errors.ts';
import type { InferClient } from '../client/infer-client.ts';
import { findDamagedFile } from './check-files.ts';
import type { JobListener, JobSummary } from './job-events.ts';
import { lockJob } from './job-lock.ts';
import type { JobOptions } from './job-options.ts';
import type { JobContext } from './job-pass.ts';
import { summariseComplete } from './job-summary.ts';
import { MANIFEST_FILE, type Manifest, readManifest } from './manifest.ts';
import { prepareOutputDir, removeSpool } from './output-dir.ts';
import { prepareJob } from './prepare-job.ts';
import { createProgressReporter } from './progress-reporter.ts';
import { finishPublishing, removeShards } from './publish.ts';
import { runFailedRows } from './run-failed-rows.ts';
import { runMissingShards } from './run-missing-shards.ts';
import { openInput } from './source/open-input.ts';

/**
 * Runs a job, or what is missing of it.
 * @param signal stops it: nothing more is sent, what is done is kept, and the same call continues.
 * @throws {MillraceError} INPUT_UNREADABLE, MAPPING_INVALID, ID_DUPLICATE, JOB_MISMATCH, JOB_LOCKED, OUTPUT_UNWRITABLE,
 *   OUTPUT_CORRUPT, USAGE, REQUEST_CANCELLED when it is stopped before the input was read once, and those of the model. A
 *   row that fails is no error of the job.
 */
export async function runJob(
  options: JobOptions,
  client: InferClient,
  listener: JobListener,
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<JobSummary> {
  const outputDir = resolve(options.outputDir);
  await prepareOutputDir(outputDir);
  const unlock = await lockJob(outputDir);
  // Neither a wait before a retry nor an answer that does not come keeps a process alive by itself.
  const keepAlive = setInterval(() => {}, 2 ** 30);
  const reporter = createProgressReporter(options.progressCallbackUrl, listener, clock);
  try {
    const resolved = { ...options, outputDir };
    const summary = await runLocked({
      options: resolved,
      client,
      listener: reporter.listener,
      signal,
      clock,
    });
    await reporter.finish(summary.state);
    return summary;
  } catch (error) {
    await reporter.finish('failed');
    throw error;
  } finally {
    clearInterval(keepAlive);
    await removeSpool(outputDir);
    await unlock();
  }
}

async function runLocked(request: Omit<JobContext, 'job' | 'source'>): Promise<JobSummary> {
  const { options, client, listener, signal } = request;
  await finishPublishing(options.outputDir);
  const source = await openInput({
    inputFile: options.inputFile,
    inputFormat: options.inputFormat,
    encoding: options.encoding,
    delimiter: options.delimiter,
    spoolDir: options.outputDir,
    signal,
    onNotice: (message) => listener({ kind: 'notice', message }),
  });
  try {
    const { rows, bytes, columns } = source.survey;
    listener({ kind: 'surveyed', rows, bytes, columns });
    const job = await prepareJob(options, source, client, listener);
    return await runPrepared({ ...request, source, job });
  } finally {
    await source.close();
  }
}

async function runPrepared(context: JobContext): Promise<JobSummary> {
  const { retryFailed, outputDir } = context.options;
  const complete = await readComplete(outputDir, context.listener);
  if (complete === undefined) {
    if (retryFailed) {
      throw new MillraceError(
        'USAGE',
        `--retry-failed runs the failed rows of a finished job, and '${outputDir}' has none: run the same command without ` +
          'it first',
      );
    }
    return runMissingShards(context);
  }
  return retryFailed && complete.failed > 0
    ? runFailedRows(context, complete)
    : summariseComplete(context, complete);
}

/** The manifest of a finished job whose files are what it says; a job with a file that is not is done again. */
async function readComplete(outputDir: string, listener: JobListener): Promise<Manifest | undefined> {
  const manifest = await readManifest(outputDir);
  const damage = manifest === undefined ? undefined : await findDamagedFile(outputDir, manifest.files);
  if (damage === undefined) {
    return manifest;
  }
  listener({ kind: 'notice', message: `the job is done again: ${damage}` });
  await rm(join(outputDir, MANIFEST_FILE), { force: true });
  await removeShards(outputDir);
  return undefined;
}
