import type { JobEvent, JobProgress } from '../../batch/job-events.ts';
import { formatCount, formatNumber, formatPercent, formatRows, formatSeconds } from './format.ts';

/** An event in a line for a person; undefined for those that only programs want. */
export function eventText(event: JobEvent): string | undefined {
  switch (event.kind) {
    case 'surveyed':
      return `${formatRows(event.rows)} in the input`;
    case 'notice':
      return event.message;
    case 'planned': {
      const done = event.alreadyDone > 0 ? `, ${formatRows(event.alreadyDone)} done already` : '';
      return `${formatNumber(event.shards, 'shard')} of ${formatRows(event.shardRows)}${done}`;
    }
    case 'retry':
      return `try ${event.attempt} failed, trying again: ${event.error.message}`;
    default:
      return undefined;
  }
}

/** `1,024 of 1,797 rows (57 %), 9,300 rows/s, 0.1 s left, 2 failed` */
export function progressText({ done, failed, total, rowsPerSecond, etaSeconds }: JobProgress): string {
  const through = done + failed;
  const left = etaSeconds === undefined ? '' : `, ${formatSeconds(etaSeconds)} left`;
  const failures = failed > 0 ? `, ${formatCount(failed)} failed` : '';
  return `${formatCount(through)} of ${formatRows(total)} (${formatPercent(through, total)}), ${formatCount(rowsPerSecond)} rows/s${left}${failures}`;
}
