import type { InputFormat } from './source/row-source.ts';

export type OutputFormat = 'jsonl' | 'csv' | 'npy';

/** All that says what a job computes: the same values over the same input and model give the same bytes. */
export interface JobOptions {
  /** Path of the input; `-` is stdin. */
  readonly inputFile: string;
  /** Undefined: by the name of the file, then by its first bytes. */
  readonly inputFormat: InputFormat | undefined;
  /** A label of the WHATWG encoding standard. Undefined: UTF-8, or UTF-16 where a byte order mark says so. */
  readonly encoding: string | undefined;
  /** CSV only. Undefined: found from the first lines. */
  readonly delimiter: string | undefined;
  readonly outputDir: string;
  readonly outputFormat: OutputFormat;
  readonly modelName: string;
  /** Undefined: the highest version that is ready. */
  readonly modelVersion: bigint | undefined;
  /** Undefined: made from the identity of the job. */
  readonly jobId: string | undefined;
  /** Rows in one request to the model, at most. */
  readonly batchSize: number;
  /** Rows in one shard. Undefined: chosen by the plan. */
  readonly shardRows: number | undefined;
  /** Requests in flight at once. Undefined: chosen from what the client can take. */
  readonly concurrency: number | undefined;
  /** `input=columns` specifications, as on the command line. */
  readonly map: readonly string[];
  readonly idColumn: string | undefined;
  readonly keep: readonly string[];
  /** Outputs to write. Empty: all. */
  readonly outputs: readonly string[];
  readonly allowDuplicateIds: boolean;
  /** NaN and infinities in the input are values, not row errors. */
  readonly allowNonFinite: boolean;
  /** First row to run, counted from 0: earlier rows are not part of the job. */
  readonly resumeFrom: number;
  /** Run only the rows of errors.jsonl again, and put them in their places. */
  readonly retryFailed: boolean;
  /** Stop when more rows than this have failed. Undefined: never. */
  readonly maxErrors: number | undefined;
  /** Longest time for one shard. Undefined: none. */
  readonly timeoutSeconds: number | undefined;
  /** Tries of a request that failed for a reason that may pass. */
  readonly maxRetries: number;
  readonly progressCallbackUrl: string | undefined;
}
