import { type JobStatus, readJobStatus } from '../../batch/job-status.ts';
import { STATUS_OPTIONS } from '../../config/batch-options.ts';
import { resolveOptions } from '../../config/resolve-options.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { formatCount, formatRows } from '../report/format.ts';

/** `millrace status`: how far a job is. @returns the exit code. */
export async function status(
  flags: Readonly<Record<string, unknown>>,
  context: CommandContext,
): Promise<number> {
  const values = resolveOptions(STATUS_OPTIONS, { flags, environment: context.environment, file: undefined });
  const job = await readJobStatus(values.outputDir);
  context.stdout.write(values.json ? `${JSON.stringify(toJson(job))}\n` : toText(job));
  return EXIT_CODES.ok;
}

function toText(status: JobStatus): string {
  const { job, state, done, failed, total } = status;
  const { model, input } = job.identity;
  const through = done + failed;
  const percent = total === 0 ? 100 : Math.floor((100 * through) / total);
  const lines = [
    `Job:    ${job.job_id}, ${state}${status.pid === undefined ? '' : ` by process ${status.pid}`}`,
    `Input:  ${job.input_name}, ${formatRows(input.rows)}, sha256 ${input.sha256}`,
    `Model:  ${model.name} version ${model.version}, sha256 ${model.sha256 ?? 'not told'}`,
    `Rows:   ${formatCount(through)} of ${formatCount(total)} (${percent} %), ${formatCount(failed)} failed`,
    `Shards: ${formatCount(status.shardsDone)} of ${formatCount(status.shards)}`,
  ];
  if (state === 'partial') {
    lines.push('Next:   run the millrace submit that began it again, it continues');
  } else if (state === 'complete' && failed > 0) {
    lines.push('Next:   the same millrace submit with --retry-failed runs the failed rows again');
  }
  return `${lines.join('\n')}\n`;
}

function toJson({
  job,
  state,
  pid,
  total,
  done,
  failed,
  nonFiniteValues,
  shards,
  shardsDone,
}: JobStatus): object {
  return {
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
