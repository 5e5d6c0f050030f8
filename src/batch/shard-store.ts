import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import {
  appendDurably,
  type FileFacts,
  guardWrite,
  publishTemporary,
  readFileFacts,
  syncFolder,
  writeTemporary,
} from './durable-file.ts';
import type { JobListener } from './job-events.ts';
import {
  ERRORS_FILE,
  readShardRecords,
  SHARD_FOLDER,
  SHARD_MANIFEST_FILE,
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
   */
  add(shard: Shard, outcome: ShardOutcome): Promise<ShardRecord>;
}

/**
 * Opens the store of an output directory; what is recorded but damaged is not counted as done.
 * @param resultFiles of the result format.
 * @throws {MillraceError} OUTPUT_UNWRITABLE.
 */
export async function openShardStore(
  outputDir: string,
  resultFiles: readonly string[],
  listener: JobListener,
): Promise<ShardStore> {
  const files = [...resultFiles, ERRORS_FILE];
  await guardWrite(outputDir, () => mkdir(join(outputDir, SHARD_FOLDER), { recursive: true }));
  const manifestPath = join(outputDir, SHARD_MANIFEST_FILE);
  const records = await readUndamaged(outputDir, files, listener);
  await endLastLine(manifestPath);
  // Lines are appended one at a time, in whatever order shards end.
  let lastAppend: Promise<void> = Promise.resolve();
  return {
    records,
    async add(shard, outcome) {
      listener({ kind: 'shard-writing', shard: shard.index });
      const parts: Record<string, FileFacts> = {};
      for (const [index, file] of files.entries()) {
        parts[file] = await writeTemporary(
          shardPartPath(outputDir, shard.index, file),
          outcome.parts[index] ?? [],
        );
      }
      listener({ kind: 'shard-synced', shard: shard.index });
      for (const file of files) {
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
      const append = lastAppend.then(() => appendDurably(manifestPath, `${JSON.stringify(record)}\n`));
      lastAppend = append.catch(() => {});
      await append;
      records.set(shard.index, record);
      listener({ kind: 'shard-recorded', shard: shard.index });
      return record;
    },
  };
}

async function readUndamaged(
  outputDir: string,
  files: readonly string[],
  listener: JobListener,
): Promise<Map<number, ShardRecord>> {
  const undamaged = new Map<number, ShardRecord>();
  for (const [index, record] of await readShardRecords(outputDir)) {
    const damaged = await findDamagedPart(outputDir, record, files);
    if (damaged === undefined) {
      undamaged.set(index, record);
    } else {
      listener({
        kind: 'notice',
        message: `shard ${index} is done again: its file '${damaged}' is missing or damaged`,
      });
    }
  }
  return undamaged;
}

/** Name of the first part of a shard that is not what its record says; undefined when all are. */
async function findDamagedPart(
  outputDir: string,
  record: ShardRecord,
  files: readonly string[],
): Promise<string | undefined> {
  for (const file of files) {
    const expected = record.parts[file];
    const found = await readFileFacts(shardPartPath(outputDir, record.shard, file));
    if (expected === undefined || found?.bytes !== expected.bytes || found.sha256 !== expected.sha256) {
      return file;
    }
  }
  return undefined;
}

/** A crash may have left half a line: what follows must not be glued to it. */
async function endLastLine(path: string): Promise<void> {
  await guardWrite(path, async () => {
    const handle = await open(path, 'a+');
    try {
      const { size } = await handle.stat();
      const last = Buffer.alloc(1);
      if (size > 0) {
        await handle.read(last, 0, 1, size - 1);
        if (last.toString() !== '\n') {
          await handle.appendFile('\n');
        }
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
}
