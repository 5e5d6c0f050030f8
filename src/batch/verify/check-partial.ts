import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findShardProblem } from '../check-shards.ts';
import { TEMPORARY_SUFFIX } from '../durable-file.ts';
import { hashIdentity } from '../job-identity.ts';
import {
  type JobIdentity,
  readShardEntries,
  SHARD_FOLDER,
  SHARD_MANIFEST_FILE,
  type ShardRecord,
} from '../manifest.ts';
import { planShards, shardAt } from '../plan.ts';
import type { ProblemList } from './problem-list.ts';

/**
 * Holds what there is of a job that is not finished against its plan: shards that are recorded but not as recorded, files
 * of shards that are not recorded, and the rows that are missing.
 * @returns rows of the shards that are done.
 */
export async function checkPartial(
  outputDir: string,
  identity: JobIdentity,
  problems: ProblemList,
): Promise<{ readonly results: number; readonly failed: number }> {
  const plan = planShards({
    rows: identity.input.rows,
    textBytes: 0,
    firstRow: identity.first_row,
    batchSize: identity.batch_size,
    shardRows: identity.shard_rows,
  });
  const done = new Map<number, ShardRecord>();
  const recorded = new Set<number>();
  for (const { job, ...record } of await readShardEntries(outputDir)) {
    const problem =
      job === hashIdentity(identity)
        ? await findShardProblem(record, plan, outputDir)
        : `'${SHARD_MANIFEST_FILE}' records it for another job`;
    recorded.add(record.shard);
    if (problem === undefined) {
      done.set(record.shard, record);
    } else {
      done.delete(record.shard);
      problems.add('shard', `shard ${record.shard}: ${problem}`);
    }
  }
  for (const file of await readShardFiles(outputDir)) {
    if (!recorded.has(Number.parseInt(file, 10))) {
      problems.add('shard', `'${SHARD_FOLDER}/${file}' is there, but its shard is not recorded as done`);
    }
  }
  for (let index = 0; index < plan.shardCount; index += 1) {
    if (!done.has(index)) {
      const first = shardAt(plan, index);
      while (index + 1 < plan.shardCount && !done.has(index + 1)) {
        index += 1;
      }
      problems.add('missing', `rows ${first.start} to ${shardAt(plan, index).end - 1}`);
    }
  }
  const records = [...done.values()];
  return {
    results: records.reduce((sum, record) => sum + record.done, 0),
    failed: records.reduce((sum, record) => sum + record.failed, 0),
  };
}

/** Files that were finished; those that were being written when the job ended are none. */
async function readShardFiles(outputDir: string): Promise<readonly string[]> {
  try {
    const names = await readdir(join(outputDir, SHARD_FOLDER));
    return names.filter((name) => !name.endsWith(TEMPORARY_SUFFIX)).sort();
  } catch {
    // No shard was begun.
    return [];
  }
}
