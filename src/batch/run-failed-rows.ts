import { join } from 'node:path';
import { finaliseJob, locateInResults, locateInShards, type PartLocator } from './finalise.ts';
import type { JobSummary } from './job-events.ts';
import { beginPass, type JobContext, type RowCounts } from './job-pass.ts';
import { summariseFinished, summariseStopped } from './job-summary.ts';
import { countRows, ERRORS_FILE, type Manifest, type ShardRecord } from './manifest.ts';
import { shardAt } from './plan.ts';
import { mergeRetried, readFailedRows } from './retry-rows.ts';
import { runShard } from './run-shard.ts';
import type { SourceRow } from './source/row-source.ts';

/**
 * Runs the failed rows of a finished job again and puts their results in their places. Until all of them were run, the
 * finished job stays as it is; shards that were run again are kept, so that the same call continues.
 */
export async function runFailedRows(context: JobContext, complete: Manifest): Promise<JobSummary> {
  const { options, job, listener } = context;
  const before = locateInResults(options.outputDir, complete, job.format);
  const pass = await beginPass(context, ({ records }) => countBefore(complete, records));
  const { store, former, runner } = pass;
  const recordOf = (index: number): ShardRecord | undefined => complete.shards[index];
  const unfinished = complete.shards.filter(({ shard, failed }) => failed > 0 && !store.records.has(shard));
  const stopped = await pass.run(
    unfinished.map(({ shard }) => shardAt(job.plan, shard)),
    {
      form: async ({ index }, rows) => {
        const record = recordOf(index);
        const failed = record === undefined ? new Set<number>() : await readFailedRows(record, before);
        return former.formBatches(onlyRows(rows, failed));
      },
      run: async ({ index }, formed, stop) => {
        const outcome = await runShard(formed, runner, stop);
        const record = recordOf(index);
        return record === undefined ? outcome : mergeRetried(record, outcome, job.format, before);
      },
    },
  );
  const after = locateInShards(options.outputDir);
  const locate: PartLocator = (record, file) =>
    store.records.has(record.shard) ? after(record, file) : before(record, file);
  const records = complete.shards.map((record) => store.records.get(record.shard) ?? record);
  if (stopped !== undefined) {
    // The finished job's own file: it goes on to be what its manifest says.
    return summariseStopped(context, pass, stopped, records, join(options.outputDir, ERRORS_FILE));
  }
  listener({ kind: 'finalising' });
  const manifest = await finaliseJob(options.outputDir, job.file, job.format, records, locate);
  return summariseFinished(context, pass, manifest);
}

async function* onlyRows(
  blocks: AsyncIterable<readonly SourceRow[]>,
  wanted: ReadonlySet<number>,
): AsyncGenerator<readonly SourceRow[]> {
  for await (const rows of blocks) {
    yield rows.filter(({ row }) => wanted.has(row));
  }
}

/** Failed rows that are still to be run count as neither done nor failed. */
function countBefore(complete: Manifest, rerun: ReadonlyMap<number, ShardRecord>): RowCounts {
  return countRows(complete.shards.map((record) => rerun.get(record.shard) ?? { ...record, failed: 0 }));
}
