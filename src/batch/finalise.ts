import { join } from 'node:path';
import type { FileFacts } from './durable-file.ts';
import {
  ERRORS_FILE,
  type JobFile,
  MANIFEST_FILE,
  type Manifest,
  type ShardRecord,
  shardPartPath,
} from './manifest.ts';
import { PRODUCT } from './product.ts';
import { assembleFile, type PartSource, publishFiles } from './publish.ts';
import type { ResultFormat } from './sink/result-format.ts';

/** Where the parts of a finished shard lie. */
export type PartLocator = (record: ShardRecord, file: string) => PartSource;

/** Parts in the shard's own files. */
export function locateInShards(outputDir: string): PartLocator {
  return (record, file) => ({
    path: shardPartPath(outputDir, record.shard, file),
    offset: 0,
    bytes: record.parts[file]?.bytes ?? 0,
  });
}

/** Parts in the result files of a finished job. */
export function locateInResults(outputDir: string, manifest: Manifest, format: ResultFormat): PartLocator {
  const offsets = new Map<string, Map<number, number>>();
  for (const file of [...format.files, ERRORS_FILE]) {
    let offset = file === ERRORS_FILE ? 0 : format.header(file, manifest.done).length;
    const byShard = new Map<number, number>();
    for (const record of manifest.shards) {
      byShard.set(record.shard, offset);
      offset += record.parts[file]?.bytes ?? 0;
    }
    offsets.set(file, byShard);
  }
  return (record, file) => ({
    path: join(outputDir, file),
    offset: offsets.get(file)?.get(record.shard) ?? 0,
    bytes: record.parts[file]?.bytes ?? 0,
  });
}

/**
 * Makes the files of results, that of errors where there are any, and the manifest, all of them at once.
 * @param records of all shards, by index.
 */
export async function finaliseJob(
  outputDir: string,
  job: JobFile,
  format: ResultFormat,
  records: readonly ShardRecord[],
  locate: PartLocator,
): Promise<Manifest> {
  const sum = (pick: (record: ShardRecord) => number): number =>
    records.reduce((total, record) => total + pick(record), 0);
  const done = sum((record) => record.done);
  const failed = sum((record) => record.failed);
  const files: Record<string, FileFacts> = {};
  const names = failed > 0 ? [...format.files, ERRORS_FILE] : format.files;
  for (const file of names) {
    const header = file === ERRORS_FILE ? Buffer.alloc(0) : format.header(file, done);
    files[file] = await assembleFile(
      join(outputDir, file),
      header,
      records.map((record) => locate(record, file)),
    );
  }
  const manifest: Manifest = {
    ...job,
    state: 'complete',
    created_by: PRODUCT,
    rows: done + failed,
    done,
    failed,
    non_finite_values: sum((record) => record.non_finite_values),
    files,
    shards: records,
  };
  await publishFiles(
    outputDir,
    names,
    { file: MANIFEST_FILE, text: `${JSON.stringify(manifest, undefined, 1)}\n` },
    failed > 0 ? [] : [ERRORS_FILE],
  );
  return manifest;
}
