/**
 * The files in an output directory that say what a job is and what of it is done. Their fields are named as in the files.
 *
 * - `job.json`: what the job computes; written first.
 * - `manifest.jsonl`: one line a finished shard, while the job runs. A shard is done when its line is whole.
 * - `manifest.json`: the finished job; then `manifest.jsonl` and `shards/` are gone.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText, MillraceError, systemErrorCode } from '../base/errors.ts';
import type { Datatype } from '../tensor/datatype.ts';
import type { FileFacts } from './durable-file.ts';
import type { OutputFormat } from './job-options.ts';
import type { InputFormat } from './source/row-source.ts';

export const JOB_FILE = 'job.json';
export const SHARD_MANIFEST_FILE = 'manifest.jsonl';
export const MANIFEST_FILE = 'manifest.json';
export const SHARD_FOLDER = 'shards';
export const ERRORS_FILE = 'errors.jsonl';

/** What a job computes: with the same of this, two runs give the same bytes. */
export interface JobIdentity {
  readonly input: {
    readonly format: InputFormat;
    readonly sha256: string;
    readonly bytes: number;
    readonly rows: number;
  };
  readonly model: { readonly name: string; readonly version: string; readonly sha256: string | null };
  /** As `--map` would say it, one an input. */
  readonly mapping: readonly string[];
  readonly first_row: number;
  readonly batch_size: number;
  readonly shard_rows: number;
  readonly output_format: OutputFormat;
  readonly outputs: readonly OutputColumn[];
  readonly id_column: string | null;
  readonly keep: readonly string[];
  readonly allow_non_finite: boolean;
}

/** One output of the model in the results. */
export interface OutputColumn {
  readonly name: string;
  readonly datatype: Datatype;
  /** Shape of a row's value; -1 is any size. */
  readonly dims: readonly number[];
}

/** `job.json`. */
export interface JobFile {
  readonly job_id: string;
  /** For people; another path to the same bytes is the same job. */
  readonly input_name: string;
  readonly identity: JobIdentity;
}

/** A line of `manifest.jsonl`, and a shard in `manifest.json`. */
export interface ShardRecord {
  readonly shard: number;
  readonly start: number;
  readonly end: number;
  /** Rows with a result. */
  readonly done: number;
  readonly failed: number;
  readonly non_finite_values: number;
  /** By the name of the file that the part goes into. */
  readonly parts: Readonly<Record<string, FileFacts>>;
}

/** `manifest.json`. */
export interface Manifest extends JobFile {
  readonly state: 'complete';
  readonly created_by: string;
  readonly rows: number;
  readonly done: number;
  readonly failed: number;
  readonly non_finite_values: number;
  /** By name, in the output directory. */
  readonly files: Readonly<Record<string, FileFacts>>;
  readonly shards: readonly ShardRecord[];
}

/** @throws {MillraceError} OUTPUT_CORRUPT when the file is there and cannot be understood. */
export async function readJobFile(outputDir: string): Promise<JobFile | undefined> {
  return readJsonFile<JobFile>(join(outputDir, JOB_FILE), 'identity');
}

/** @throws {MillraceError} OUTPUT_CORRUPT when the file is there and cannot be understood. */
export async function readManifest(outputDir: string): Promise<Manifest | undefined> {
  return readJsonFile<Manifest>(join(outputDir, MANIFEST_FILE), 'shards');
}

async function readJsonFile<T extends object>(
  path: string,
  requiredKey: keyof T & string,
): Promise<T | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') {
      return undefined;
    }
    throw new MillraceError('OUTPUT_CORRUPT', `'${path}' cannot be read: ${errorText(error)}`, {
      cause: error,
    });
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && requiredKey in value) {
      // Written by this program as a whole or not at all; the key tells it from any other JSON.
      return value as T;
    }
  } catch {
    // Falls through: not JSON is as wrong as other JSON.
  }
  throw new MillraceError(
    'OUTPUT_CORRUPT',
    `'${path}' is damaged: remove the output directory, or take another one`,
  );
}

/** The shards that are recorded as done, the last record of each; lines that are cut or strange are passed over. */
export async function readShardRecords(outputDir: string): Promise<ReadonlyMap<number, ShardRecord>> {
  const records = new Map<number, ShardRecord>();
  let text: string;
  try {
    text = await readFile(join(outputDir, SHARD_MANIFEST_FILE), 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') {
      return records;
    }
    throw new MillraceError('OUTPUT_CORRUPT', `'${outputDir}' cannot be read: ${errorText(error)}`, {
      cause: error,
    });
  }
  // Without its line end a line was not finished, even if it happens to be JSON.
  for (const line of text.split('\n').slice(0, -1)) {
    const record = parseRecord(line);
    if (record !== undefined) {
      records.set(record.shard, record);
    }
  }
  return records;
}

function parseRecord(line: string): ShardRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isRecord = typeof value === 'object' && value !== null && 'shard' in value && 'parts' in value;
    return isRecord ? (value as ShardRecord) : undefined;
  } catch {
    return undefined;
  }
}

/** Path of a shard's part of a result file. */
export function shardPartPath(outputDir: string, shard: number, file: string): string {
  return join(outputDir, SHARD_FOLDER, `${String(shard).padStart(6, '0')}-${file}`);
}
