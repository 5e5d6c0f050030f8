import { join } from 'node:path';
import pLimit from 'p-limit';
import { MillraceError } from '../base/errors.ts';
import { endLastLine, readFileFacts } from './durable-file.ts';
import type { JobListener } from './job-events.ts';
import { hashIdentity } from './job-identity.ts';
import {
  type JobIdentity,
  readShardEntries,
  SHARD_MANIFEST_FILE,
  type ShardRecord,
  shardPartPath,
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
    const problem = isPlanned(record, plan)
      ? await findDamage(outputDir, record)
      : 'its rows are not those of the plan';
    if (problem !== undefined) {
      records.delete(record.shard);
      listener({ kind: 'notice', message: `shard ${record.shard} is done again: ${problem}` });
    }
  });
  return records;
}

function isPlanned({ shard, start, end, done, failed }: ShardRecord, plan: ShardPlan): boolean {
  const planned = shardAt(plan, shard);
  return (
    shard < plan.shardCount && start === planned.start && end === planned.end && done + failed === end - start
  );
}

async function findDamage(outputDir: string, { shard, parts }: ShardRecord): Promise<string | undefined> {
  for (const [file, expected] of Object.entries(parts)) {
    const path = shardPartPath(outputDir, shard, file);
    const found = await readFileFacts(path);
    if (found === undefined) {
      return `'${path}' is missing`;
    }
    if (found.bytes !== expected.bytes) {
      return `'${path}' has ${found.bytes} bytes, expected ${expected.bytes}`;
    }
    if (found.sha256 !== expected.sha256) {
      return `'${path}' has another checksum than was recorded`;
    }
  }
  return undefined;
}
