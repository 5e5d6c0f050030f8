import { join } from 'node:path';
import type { JobSummary } from './job-events.ts';
import type { JobContext, JobPass } from './job-pass.ts';
import { countRows, ERRORS_FILE, type Manifest, type ShardRecord } from './manifest.ts';
import type { StopReason } from './run-shards.ts';

/** A job whose last shard was done in this run. */
export function summariseFinished(context: JobContext, pass: JobPass, manifest: Manifest): JobSummary {
  pass.progress.tell();
  return {
    ...summariseManifest(context, manifest),
    ...summarisePass(pass),
    alreadyComplete: false,
  };
}

/** A job that was complete before this run, which had nothing to do. */
export function summariseComplete(context: JobContext, manifest: Manifest): JobSummary {
  return {
    ...summariseManifest(context, manifest),
    alreadyComplete: true,
    resumedRows: manifest.rows,
    retries: 0,
    elapsedSeconds: 0,
    rowsPerSecond: 0,
    meanBatchSize: undefined,
  };
}

/**
 * A job that stopped before its end.
 * @param records of the shards that are done.
 * @param errorsFile undefined: no row failed.
 */
export function summariseStopped(
  context: JobContext,
  pass: JobPass,
  stoppedBy: StopReason,
  records: Iterable<ShardRecord>,
  errorsFile: string | undefined,
): JobSummary {
  pass.progress.tell();
  return {
    ...summariseJob(context),
    ...summarisePass(pass),
    ...countRows(records),
    state: 'partial',
    stoppedBy,
    alreadyComplete: false,
    resultFiles: [],
    errorsFile,
  };
}

function summariseJob({ options, job }: JobContext): Pick<JobSummary, 'jobId' | 'total' | 'outputDir'> {
  return {
    jobId: job.file.job_id,
    total: job.plan.rows - job.plan.firstRow,
    outputDir: options.outputDir,
  };
}

type ManifestSummary = Omit<JobSummary, 'alreadyComplete' | keyof ReturnType<typeof summarisePass>>;

function summariseManifest(context: JobContext, manifest: Manifest): ManifestSummary {
  const { outputDir } = context.options;
  return {
    ...summariseJob(context),
    state: 'complete',
    stoppedBy: undefined,
    done: manifest.done,
    failed: manifest.failed,
    nonFiniteValues: manifest.non_finite_values,
    resultFiles: context.job.format.files.map((file) => join(outputDir, file)),
    errorsFile: manifest.failed > 0 ? join(outputDir, ERRORS_FILE) : undefined,
  };
}

function summarisePass(
  pass: JobPass,
): Pick<JobSummary, 'resumedRows' | 'retries' | 'elapsedSeconds' | 'rowsPerSecond' | 'meanBatchSize'> {
  return {
    resumedRows: pass.before.done + pass.before.failed,
    retries: pass.retries(),
    elapsedSeconds: pass.progress.elapsedSeconds,
    rowsPerSecond: pass.progress.snapshot().rowsPerSecond,
    meanBatchSize: pass.meanBatchSize(),
  };
}
