import type { MillraceError } from '../base/errors.ts';

/** Running totals of a job. `done + failed` never exceeds `total`. */
export interface JobProgress {
  readonly jobId: string;
  /** Rows with a result, those of earlier runs included. */
  readonly done: number;
  /** Rows in errors.jsonl, those of earlier runs included. */
  readonly failed: number;
  readonly total: number;
  /** Over the rows of this run. */
  readonly rowsPerSecond: number;
  /** Undefined until a rate is known. */
  readonly etaSeconds: number | undefined;
}

/**
 * What happens in a job, in the order of happening, told while it happens: a listener that does not return
 * (because the process was killed in it) stops the job exactly there.
 */
export type JobEvent =
  | {
      readonly kind: 'surveyed';
      readonly rows: number;
      readonly bytes: number;
      readonly columns: readonly string[];
    }
  | { readonly kind: 'notice'; readonly message: string }
  | {
      readonly kind: 'planned';
      readonly shards: number;
      readonly shardRows: number;
      readonly alreadyDone: number;
    }
  | { readonly kind: 'progress'; readonly progress: JobProgress }
  | { readonly kind: 'shard-writing'; readonly shard: number }
  | { readonly kind: 'shard-synced'; readonly shard: number }
  | { readonly kind: 'shard-renamed'; readonly shard: number }
  | { readonly kind: 'shard-recorded'; readonly shard: number }
  | {
      readonly kind: 'retry';
      readonly attempt: number;
      readonly error: MillraceError;
    }
  | { readonly kind: 'finalising' };

export type JobListener = (event: JobEvent) => void;

/** How a run of a job ended. */
export interface JobSummary {
  readonly jobId: string;
  /** `partial`: stopped by a signal or by `maxErrors`; the same command continues. */
  readonly state: 'complete' | 'partial';
  readonly stoppedBy: 'signal' | 'max-errors' | undefined;
  /** Nothing was left to do: every row was done by an earlier run. */
  readonly alreadyComplete: boolean;
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  /** Rows done before this run began. */
  readonly resumedRows: number;
  /** Values of the results that are NaN or infinite. */
  readonly nonFiniteValues: number;
  readonly retries: number;
  readonly elapsedSeconds: number;
  readonly rowsPerSecond: number;
  /** Undefined where the client does not tell. */
  readonly meanBatchSize: number | undefined;
  readonly outputDir: string;
  /** Absolute paths of the files of results, and of errors.jsonl when there are errors. */
  readonly resultFiles: readonly string[];
  readonly errorsFile: string | undefined;
}
