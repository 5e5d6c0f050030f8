import { join } from 'node:path';
import pLimit from 'p-limit';
import { MillraceError } from '../base/errors.ts';
import { findDamagedFile } from './check-files.ts';
import { endLastLine, type FileFacts } from './durable-file.ts';
import type { JobListener } from './job-events.ts';
import { hashIdentity } from './job-identity.ts';
import {
  type JobIdentity,
  readShardEntries,
  SHARD_FOLDER,
  SHARD_MANIFEST_FILE,
  type ShardRecord,
  shardPartName,
} from './manifest.ts';
import { type ShardPlan, shardAt } from './plan.ts';

/** Files read at once: reading and hashing overlap, and a disk is not asked for more than it likes. */
const PARALLEL_CHECKS = 4;

/** The job that an output directory is for, and how it is divided. */
export interface PlannedJob {
  readonly outputDir: string;
  readonly identity: JobIdentity;
  readonly plan: ShardPlan;
  readonly listener: JobListener;
}

/**
 * The shards that are done: recorded for this job, as its plan has them, with files that are what the record says. That a
 * file is there proves nothing. Each shard that was recorded and is not done is told.
 * @throws {MillraceError} JOB_MISMATCH when a shard of another job is recorded.
 */
export async function checkShards(planned: PlannedJob): Promise<Map<number, ShardRecord>> {
  const { outputDir, identity, plan, listener } = planned;
  const path = join(outputDir, SHARD_MANIFEST_FILE);
  const expectedJob = hashIdentity(identity);
  const records = new Map<number, ShardRecord>();
  for (const { job, ...record } of await readShardEntries(outputDir)) {
    if (job !== expectedJob) {
      throw new MillraceError(
        'JOB_MISMATCH',
        `'${path}' records shard ${record.shard} of a job of another input, model, mapping or option: the directory mixes ` +
          'two jobs. Take a new --output-dir',
        { details: { shard: record.shard, expected: expectedJob, found: job } },
      );
    }
    records.set(record.shard, record);
  }
  await endLastLine(path);
  await pLimit(PARALLEL_CHECKS).map([...records.values()], async (record) => {
    const problem = await findShardProblem(record, plan, outputDir);
    if (problem !== undefined) {
      records.delete(record.shard);
      listener({ kind: 'notice', message: `shard ${record.shard} is done again: ${problem}` });
    }
  });
  return records;
}

/** Why a shard that is recorded is not done, in words; undefined when it is. */
export async function findShardProblem(
  record: ShardRecord,
  plan: ShardPlan,
  outputDir: string,
): Promise<string | undefined> {
  return isPlanned(record, plan)
    ? findDamagedFile(join(outputDir, SHARD_FOLDER), partFiles(record))
    : 'its rows are not those of the plan';
}

function isPlanned({ shard, start, end, done, failed }: ShardRecord, plan: ShardPlan): boolean {
  const planned = shardAt(plan, shard);
  return (
    shard < plan.shardCount && start === planned.start && end === planned.end && done + failed === end - start
  );
}

/** The parts of a shard by the names of their files in `shards/`. */
function partFiles({ shard, parts }: ShardRecord): Readonly<Record<string, FileFacts>> {
  return Object.fromEntries(
    Object.entries(parts).map(([file, facts]) => [shardPartName(shard, file), facts]),
  );
}
