import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { checkShards, type PlannedJob } from './check-shards.ts';
import {
  appendDurably,
  type FileFacts,
  guardWrite,
  publishTemporary,
  syncFolder,
  writeTemporary,
} from './durable-file.ts';
import { hashIdentity } from './job-identity.ts';
import {
  ERRORS_FILE,
  SHARD_FOLDER,
  SHARD_MANIFEST_FILE,
  type ShardEntry,
  type ShardRecord,
  shardPartPath,
} from './manifest.ts';
import type { Shard } from './plan.ts';
import type { ShardOutcome } from './run-shard.ts';

/** The finished shards of a running job, in its output directory. */
export interface ShardStore {
  /** Those recorded and undamaged when the store was opened, and those added since. */
  readonly records: ReadonlyMap<number, ShardRecord>;
  /**
   * Makes a shard's outcome durable: parts to temporary files, synced, named, and last the line in the manifest. Before
   * that line the shard is not done, after it it is.
   * @throws {MillraceError} OUTPUT_UNWRITABLE.
   */
  add(shard: Shard, outcome: ShardOutcome): Promise<ShardRecord>;
}

export interface ShardStoreOptions extends PlannedJob {
  /** Of the result format. */
  readonly resultFiles: readonly string[];
}

/**
 * Opens the store of an output directory; what is recorded but damaged is not counted as done.
 * @throws {MillraceError} JOB_MISMATCH when a shard of another job is recorded, OUTPUT_UNWRITABLE.
 */
export async function openShardStore(options: ShardStoreOptions): Promise<ShardStore> {
  const { outputDir, identity, listener } = options;
  await guardWrite(outputDir, () => mkdir(join(outputDir, SHARD_FOLDER), { recursive: true }));
  const records = await checkShards(options);
  const files = [...options.resultFiles, ERRORS_FILE];
  const job = hashIdentity(identity);
  const append = createLineAppender(join(outputDir, SHARD_MANIFEST_FILE));
  return {
    records,
    async add(shard, outcome) {
      const parts: Record<string, FileFacts> = {};
      for (const [index, file] of files.entries()) {
        const part = Buffer.concat(outcome.parts[index] ?? []);
        if (part.length > 0) {
          const tellHalf = (): void => listener({ kind: 'shard-writing', shard: shard.index });
          parts[file] = await writeTemporary(
            shardPartPath(outputDir, shard.index, file),
            inHalves(part, tellHalf),
          );
        }
      }
      listener({ kind: 'shard-synced', shard: shard.index });
      for (const file of Object.keys(parts)) {
        await publishTemporary(shardPartPath(outputDir, shard.index, file));
      }
      await syncFolder(join(outputDir, SHARD_FOLDER));
      listener({ kind: 'shard-renamed', shard: shard.index });
      const record: ShardRecord = {
        shard: shard.index,
        start: shard.start,
        end: shard.end,
        done: outcome.done,
        failed: outcome.failed,
        non_finite_values: outcome.nonFiniteValues,
        parts,
      };
      const entry: ShardEntry = { job, ...record };
      await append(`${JSON.stringify(entry)}\n`);
      records.set(shard.index, record);
      listener({ kind: 'shard-recorded', shard: shard.index });
      return record;
    },
  };
}

/** @param tellHalf called when the first half was written. */
function* inHalves(part: Buffer, tellHalf: () => void): Iterable<Buffer> {
  const middle = part.length >> 1;
  yield part.subarray(0, middle);
  tellHalf();
  yield part.subarray(middle);
}

/** Appends lines in the order of the calls; those that come while others are written share one sync. */
function createLineAppender(path: string): (line: string) => Promise<void> {
  let waiting = '';
  let next: Promise<void> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return (line) => {
    waiting += line;
    if (next === undefined) {
      next = last.then(() => {
        const lines = waiting;
        waiting = '';
        next = undefined;
        return appendDurably(path, lines);
      });
      last = next.catch(() => {});
    }
    return next;
  };
}
