/**
 * The files in an output directory that say what a job is and what of it is done. Their fields are named as in the files.
 *
 * - `job.json`: what the job computes; written first.
 * - `manifest.jsonl`: one line a finished shard, while the job runs. A shard is done when its line is whole.
 * - `manifest.json`: the finished job; then `manifest.jsonl` and `shards/` are gone.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { errorText, MillraceError, systemErrorCode } from '../base/errors.ts';
import { DATATYPE_NAMES } from '../tensor/datatype.ts';

export const JOB_FILE = 'job.json';
export const SHARD_MANIFEST_FILE = 'manifest.jsonl';
export const MANIFEST_FILE = 'manifest.json';
export const SHARD_FOLDER = 'shards';
export const ERRORS_FILE = 'errors.jsonl';

const count = z.int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const fileFacts = z.object({ bytes: count, sha256 }).readonly();

const outputColumn = z
  .object({
    name: z.string(),
    datatype: z.enum(DATATYPE_NAMES),
    /** Shape of a row's value; -1 is any size. */
    dims: z.array(z.int().min(-1)).readonly(),
  })
  .readonly();

const jobIdentity = z
  .object({
    input: z
      .object({
        format: z.enum(['csv', 'jsonl']),
        /** As it was asked for; null: found in the file. */
        encoding: z.string().nullable(),
        delimiter: z.string().nullable(),
        sha256,
        bytes: count,
        rows: count,
      })
      .readonly(),
    model: z.object({ name: z.string(), version: z.string(), sha256: sha256.nullable() }).readonly(),
    /** As `--map` would say it, one an input. */
    mapping: z.array(z.string()).readonly(),
    first_row: count,
    batch_size: z.int().positive(),
    shard_rows: z.int().positive(),
    output_format: z.enum(['jsonl', 'csv', 'npy']),
    outputs: z.array(outputColumn).readonly(),
    id_column: z.string().nullable(),
    keep: z.array(z.string()).readonly(),
    allow_non_finite: z.boolean(),
  })
  .readonly();

const jobFile = z.object({
  job_id: z.string(),
  /** For people; another path to the same bytes is the same job. */
  input_name: z.string(),
  identity: jobIdentity,
});

const shardRecord = z.object({
  shard: count,
  /** Rows `[start, end)` of the input. */
  start: count,
  end: count,
  /** Rows with a result, and rows in errors.jsonl: together all rows of the shard. */
  done: count,
  failed: count,
  non_finite_values: count,
  /** By the name of the file that the part goes into; a part without bytes is left out. */
  parts: z.record(z.string(), fileFacts).readonly(),
});

const shardEntry = shardRecord.extend({
  /** `hashIdentity` of the job that the shard is of. */
  job: z.string(),
});

const manifest = jobFile.extend({
  state: z.literal('complete'),
  created_by: z.string(),
  /** Rows of the job: `done` with a result, `failed` in errors.jsonl. */
  rows: count,
  done: count,
  failed: count,
  non_finite_values: count,
  /** By name, in the output directory. */
  files: z.record(z.string(), fileFacts).readonly(),
  /** In order. A part is a stretch of its file: behind the header and the parts of the shards before. */
  shards: z.array(shardRecord.readonly()).readonly(),
});

/** One output of the model in the results. */
export type OutputColumn = z.infer<typeof outputColumn>;
/** What a job computes: with the same of this, two runs give the same bytes. */
export type JobIdentity = z.infer<typeof jobIdentity>;
/** `job.json`. */
export type JobFile = Readonly<z.infer<typeof jobFile>>;
/** A shard that is done. */
export type ShardRecord = Readonly<z.infer<typeof shardRecord>>;
/** A line of `manifest.jsonl`. */
export type ShardEntry = Readonly<z.infer<typeof shardEntry>>;
/** `manifest.json`. */
export type Manifest = Readonly<z.infer<typeof manifest>>;

/** @throws {MillraceError} OUTPUT_CORRUPT when the file is there and cannot be understood. */
export async function readJobFile(outputDir: string): Promise<JobFile | undefined> {
  return readJsonFile(join(outputDir, JOB_FILE), jobFile);
}

/** @throws {MillraceError} OUTPUT_CORRUPT when the file is there and cannot be understood. */
export async function readManifest(outputDir: string): Promise<Manifest | undefined> {
  return readJsonFile(join(outputDir, MANIFEST_FILE), manifest);
}

async function readJsonFile<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
  const text = await readIfThere(path);
  if (text === undefined) {
    return undefined;
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new MillraceError(
      'OUTPUT_CORRUPT',
      `'${path}' is damaged or not of Millrace: remove the output directory, or take another one`,
      { cause: error },
    );
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') {
      return undefined;
    }
    throw new MillraceError('OUTPUT_CORRUPT', `'${path}' cannot be read: ${errorText(error)}`, {
      cause: error,
    });
  }
}

/**
 * The lines of `manifest.jsonl` in their order: of two of the same shard the later one counts. Lines that are cut or strange
 * are passed over.
 */
export async function readShardEntries(outputDir: string): Promise<readonly ShardEntry[]> {
  const text = (await readIfThere(join(outputDir, SHARD_MANIFEST_FILE))) ?? '';
  // Without its line end a line was not finished, even if it happens to be JSON.
  const lines = text.split('\n').slice(0, -1);
  return lines.flatMap((line) => parseEntry(line) ?? []);
}

function parseEntry(line: string): ShardEntry | undefined {
  try {
    return shardEntry.safeParse(JSON.parse(line)).data;
  } catch {
    // Not JSON: the shard counts as not done.
    return undefined;
  }
}

/** Sums over finished shards. */
export function countRows(records: Iterable<ShardRecord>): {
  readonly done: number;
  readonly failed: number;
  readonly nonFiniteValues: number;
} {
  let done = 0;
  let failed = 0;
  let nonFiniteValues = 0;
  for (const record of records) {
    done += record.done;
    failed += record.failed;
    nonFiniteValues += record.non_finite_values;
  }
  return { done, failed, nonFiniteValues };
}

/** Name of the file, in `shards/`, of a shard's part of a result file. */
export function shardPartName(shard: number, file: string): string {
  return `${String(shard).padStart(6, '0')}-${file}`;
}

/** Path of a shard's part of a result file. */
export function shardPartPath(outputDir: string, shard: number, file: string): string {
  return join(outputDir, SHARD_FOLDER, shardPartName(shard, file));
}
