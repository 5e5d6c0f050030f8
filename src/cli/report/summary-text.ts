import type { JobSummary } from '../../batch/job-events.ts';
import { formatCount, formatRows, formatSeconds } from './format.ts';

/**
 * The end of a job for a person.
 * @param program as it was called, for the commands that are proposed.
 */
export function summaryText(summary: JobSummary, program: string): string {
  const lines = summary.state === 'complete' ? completeLines(summary, program) : partialLines(summary);
  return `${lines.join('\n')}\n`;
}

function completeLines(summary: JobSummary, program: string): string[] {
  const lines = [
    summary.alreadyComplete
      ? `Already complete: ${formatRows(summary.done)} have results, nothing was run`
      : `Done: ${formatRows(summary.done)} have results${speedText(summary)}`,
  ];
  if (summary.failed > 0) {
    lines.push(
      `${formatRows(summary.failed)} failed: ${summary.errorsFile} says why; --retry-failed runs them again`,
    );
  }
  if (summary.nonFiniteValues > 0) {
    lines.push(`${formatCount(summary.nonFiniteValues)} values of the results are NaN or infinite`);
  }
  lines.push(`Results: ${summary.resultFiles.join(', ')}`);
  lines.push(`Check them: ${program} verify --input-file <the same> --output-dir ${summary.outputDir}`);
  return lines;
}

function speedText(summary: JobSummary): string {
  const resumed = summary.resumedRows > 0 ? `, ${formatRows(summary.resumedRows)} of them from before` : '';
  const batch =
    summary.meanBatchSize === undefined ? '' : `, mean batch size ${summary.meanBatchSize.toFixed(1)}`;
  const retries = summary.retries > 0 ? `, ${formatCount(summary.retries)} retries` : '';
  return `${resumed}, in ${formatSeconds(summary.elapsedSeconds)}, ${formatCount(summary.rowsPerSecond)} rows/s${batch}${retries}`;
}

function partialLines(summary: JobSummary): string[] {
  const why =
    summary.stoppedBy === 'max-errors' ? 'more rows failed than --max-errors allows' : 'it was interrupted';
  const next =
    summary.stoppedBy === 'max-errors'
      ? `${formatRows(summary.failed)} failed. Run the same command with a larger --max-errors to go on`
      : 'What is done is kept. Run the same command again to go on';
  return [
    `Stopped: ${why}. ${formatCount(summary.done + summary.failed)} of ${formatRows(summary.total)} are done, in ${summary.outputDir}`,
    next,
  ];
}
