import type { JobSummary } from '../../batch/job-events.ts';
import { formatCommandLine, shortenPath } from './command-line.ts';
import { formatCount, formatNumber, formatRows, formatSeconds } from './format.ts';

/** How the job was started, for the commands that are proposed. */
export interface Invocation {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly inputFile: string;
}

/** The end of a job for a person. */
export function summaryText(summary: JobSummary, invocation: Invocation): string {
  const lines =
    summary.state === 'complete' ? completeLines(summary, invocation) : partialLines(summary, invocation);
  return `${lines.join('\n')}\n`;
}

function completeLines(summary: JobSummary, { program, args, cwd, inputFile }: Invocation): string[] {
  const shorten = (path: string): string => shortenPath(path, cwd);
  const lines = [
    summary.alreadyComplete
      ? `Already complete: ${formatRows(summary.done)} have results, nothing was run`
      : `Done: ${formatRows(summary.done)} have results${speedText(summary)}`,
  ];
  if (summary.nonFiniteValues > 0) {
    lines.push(`NaN or infinite: ${formatNumber(summary.nonFiniteValues, 'value')}`);
  }
  lines.push(`Results: ${summary.resultFiles.map(shorten).join(', ')}`);
  if (summary.failed > 0) {
    const retry = args.includes('--retry-failed') ? args : [...args, '--retry-failed'];
    lines.push(
      `${formatRows(summary.failed)} failed, ${shorten(summary.errorsFile ?? '')} says why. Run them again:`,
      `  ${formatCommandLine([program, ...retry])}`,
    );
  }
  const verify = ['verify', '--input-file', inputFile, '--output-dir', shorten(summary.outputDir)];
  lines.push('Check them:', `  ${formatCommandLine([program, ...verify])}`);
  return lines;
}

function speedText(summary: JobSummary): string {
  const resumed = summary.resumedRows > 0 ? `, ${formatCount(summary.resumedRows)} of them from before` : '';
  const batch =
    summary.meanBatchSize === undefined ? '' : `, mean batch size ${summary.meanBatchSize.toFixed(1)}`;
  const retries = summary.retries > 0 ? `, ${formatNumber(summary.retries, 'request')} sent again` : '';
  return `${resumed}, in ${formatSeconds(summary.elapsedSeconds)}, ${formatCount(summary.rowsPerSecond)} rows/s${batch}${retries}`;
}

function partialLines(summary: JobSummary, { program, args, cwd }: Invocation): string[] {
  const rows = `${formatCount(summary.done + summary.failed)} of ${formatRows(summary.total)}`;
  const why =
    summary.stoppedBy === 'max-errors'
      ? `${formatRows(summary.failed)} failed, more than --max-errors allows`
      : 'it was interrupted';
  const next =
    summary.stoppedBy === 'max-errors' ? 'Go on with a larger --max-errors:' : 'Go on with the same command:';
  return [
    `Stopped: ${why}. ${rows} are done and kept in ${shortenPath(summary.outputDir, cwd)}`,
    ...(summary.errorsFile === undefined ? [] : [`Errors: ${shortenPath(summary.errorsFile, cwd)}`]),
    next,
    `  ${formatCommandLine([program, ...args])}`,
  ];
}
