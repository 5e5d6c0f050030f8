import { MillraceError } from '../base/errors.ts';
import { readLockHolder } from './job-lock.ts';
import {
  countRows,
  type JobFile,
  type Manifest,
  readJobFile,
  readManifest,
  readShardEntries,
} from './manifest.ts';

/** What an output directory says of its job, without the input or the model. */
export interface JobStatus {
  readonly job: JobFile;
  /** `partial`: no process is running it and rows are left; the command that began it continues. */
  readonly state: 'running' | 'partial' | 'complete';
  /** The process that is running it. A complete job may be running too: its failed rows, once more. */
  readonly pid: number | undefined;
  /** Rows of the job. */
  readonly total: number;
  /** Rows with a result, in finished shards. */
  readonly done: number;
  /** Rows in errors.jsonl, or to come into it. */
  readonly failed: number;
  readonly nonFiniteValues: number;
  readonly shards: number;
  readonly shardsDone: number;
  /** Only of a complete job. */
  readonly manifest: Manifest | undefined;
}

/**
 * Reads how far the job of a directory is, as recorded: files of results are not looked at.
 * @throws {MillraceError} JOB_NOT_FOUND when the directory holds no job, OUTPUT_CORRUPT when its files cannot be read.
 */
export async function readJobStatus(outputDir: string): Promise<JobStatus> {
  const job = await readJobFile(outputDir);
  if (job === undefined) {
    throw new MillraceError(
      'JOB_NOT_FOUND',
      `'${outputDir}' holds no batch job: give the --output-dir of a millrace submit`,
    );
  }
  const holder = await readLockHolder(outputDir);
  const manifest = await readManifest(outputDir);
  const entries = new Map((await readShardEntries(outputDir)).map((entry) => [entry.shard, entry]));
  const records = manifest?.shards ?? [...entries.values()];
  const { input, first_row, shard_rows } = job.identity;
  const total = input.rows - first_row;
  return {
    job,
    state: holder !== undefined ? 'running' : manifest === undefined ? 'partial' : 'complete',
    pid: holder?.pid,
    total,
    ...countRows(records),
    shards: Math.ceil(total / shard_rows),
    shardsDone: records.length,
    manifest,
  };
}
