import { join } from 'node:path';
import { publishTemporary } from './durable-file.ts';
import { finaliseJob, locateInShards, type PartLocator } from './finalise.ts';
import type { JobSummary } from './job-events.ts';
import { beginPass, type JobContext } from './job-pass.ts';
import { summariseFinished, summariseStopped } from './job-summary.ts';
import { countRows, ERRORS_FILE, type ShardRecord } from './manifest.ts';
import { type Shard, type ShardPlan, shardAt } from './plan.ts';
import { assembleFile } from './publish.ts';
import { runShard } from './run-shard.ts';
import type { ShardStore } from './shard-store.ts';

/** Runs what of a job is not done, and finishes it: resuming is nothing else. */
export async function runMissingShards(context: JobContext): Promise<JobSummary> {
  const { options, job, listener } = context;
  const pass = await beginPass(context, ({ records }) => countRows(records.values()));
  const { store, former, runner } = pass;
  const stopped = await pass.run(missingShards(job.plan, store), {
    form: (_shard, rows) => former.formBatches(rows),
    run: (_shard, formed, stop) => runShard(formed, runner, stop),
  });
  const locate = locateInShards(options.outputDir);
  const records = [...store.records.values()].sort((a, b) => a.shard - b.shard);
  if (stopped !== undefined) {
    const errorsFile = await writeErrorsSoFar(options.outputDir, records, locate);
    return summariseStopped(context, pass, stopped, records, errorsFile);
  }
  listener({ kind: 'finalising' });
  const manifest = await finaliseJob(options.outputDir, job.file, job.format, records, locate);
  return summariseFinished(context, pass, manifest);
}

/**
 * Puts what is known of failed rows into errors.jsonl, for a person to look at before going on; the end of the job writes
 * it anew. @returns its path; undefined when no row failed.
 */
async function writeErrorsSoFar(
  outputDir: string,
  records: readonly ShardRecord[],
  locate: PartLocator,
): Promise<string | undefined> {
  const parts = records.filter(({ failed }) => failed > 0).map((record) => locate(record, ERRORS_FILE));
  if (parts.length === 0) {
    return undefined;
  }
  const path = join(outputDir, ERRORS_FILE);
  await assembleFile(path, Buffer.alloc(0), parts);
  await publishTemporary(path);
  return path;
}

function* missingShards(plan: ShardPlan, store: ShardStore): Iterable<Shard> {
  for (let index = 0; index < plan.shardCount; index += 1) {
    if (!store.records.has(index)) {
      yield shardAt(plan, index);
    }
  }
}
