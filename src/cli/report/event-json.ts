import type { JobEvent, JobProgress, JobSummary } from '../../batch/job-events.ts';

/** An event as an object for programs, its fields in snake_case; undefined for those of a shard's inner life. */
export function eventToJson(event: JobEvent): object | undefined {
  switch (event.kind) {
    case 'surveyed':
      return { event: 'surveyed', rows: event.rows, bytes: event.bytes };
    case 'notice':
      return { event: 'notice', message: event.message };
    case 'planned':
      return {
        event: 'planned',
        shards: event.shards,
        shard_rows: event.shardRows,
        already_done: event.alreadyDone,
      };
    case 'progress':
      return { event: 'progress', ...progressToJson(event.progress) };
    case 'retry':
      return {
        event: 'retry',
        attempt: event.attempt,
        reason: event.error.reason,
        message: event.error.message,
      };
    default:
      return undefined;
  }
}

function progressToJson({ jobId, done, failed, total, rowsPerSecond, etaSeconds }: JobProgress): object {
  return {
    job_id: jobId,
    done,
    failed,
    total,
    rows_per_second: Math.round(rowsPerSecond),
    eta_seconds: etaSeconds === undefined ? null : Math.round(etaSeconds * 10) / 10,
  };
}

/** The end of a job as an object for programs. */
export function summaryToJson(summary: JobSummary): object {
  return {
    event: 'summary',
    job_id: summary.jobId,
    state: summary.state,
    stopped_by: summary.stoppedBy ?? null,
    already_complete: summary.alreadyComplete,
    total: summary.total,
    done: summary.done,
    failed: summary.failed,
    resumed_rows: summary.resumedRows,
    non_finite_values: summary.nonFiniteValues,
    retries: summary.retries,
    elapsed_seconds: summary.elapsedSeconds,
    rows_per_second: summary.rowsPerSecond,
    mean_batch_size: summary.meanBatchSize ?? null,
    output_dir: summary.outputDir,
    result_files: summary.resultFiles,
    errors_file: summary.errorsFile ?? null,
  };
}
