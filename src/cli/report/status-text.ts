import type { JobStatus } from '../../batch/job-status.ts';
import { formatCount, formatPercent, formatRows } from './format.ts';

/** How far a job is, for a person. */
export function statusText(status: JobStatus, program: string): string {
  const { job, state, done, failed, total } = status;
  const { model, input } = job.identity;
  const through = done + failed;
  const lines = [
    `Job:    ${job.job_id}, ${state}${status.pid === undefined ? '' : ` by process ${status.pid}`}`,
    `Input:  ${job.input_name}, ${formatRows(input.rows)}, sha256 ${input.sha256}`,
    `Model:  ${model.name} version ${model.version}, sha256 ${model.sha256 ?? 'not told'}`,
    `Rows:   ${formatCount(through)} of ${formatCount(total)} (${formatPercent(through, total)}), ${formatCount(failed)} failed`,
    `Shards: ${formatCount(status.shardsDone)} of ${formatCount(status.shards)}`,
  ];
  if (state === 'partial') {
    lines.push(`Next:   run the ${program} submit that began it again, it continues`);
  } else if (state === 'complete' && failed > 0) {
    lines.push(`Next:   the same ${program} submit with --retry-failed runs the failed rows again`);
  } else if (state === 'complete') {
    lines.push(`Next:   ${program} verify holds the results against the input`);
  }
  return `${lines.join('\n')}\n`;
}

/** How far a job is, for programs. */
export function statusToJson(status: JobStatus): object {
  const { job, state, pid, total, done, failed, nonFiniteValues, shards, shardsDone } = status;
  return {
    event: 'status',
    job_id: job.job_id,
    state,
    pid: pid ?? null,
    input: { name: job.input_name, ...job.identity.input },
    model: job.identity.model,
    total,
    done,
    failed,
    non_finite_values: nonFiniteValues,
    shards,
    shards_done: shardsDone,
  };
}
