import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import type { Clock } from '../base/clock.ts';
import type { InferClient } from '../client/infer-client.ts';
import { type BatchFormer, createBatchFormer } from './form-batches.ts';
import type { JobListener } from './job-events.ts';
import type { JobOptions } from './job-options.ts';
import { ProgressTracker } from './job-progress.ts';
import type { Shard } from './plan.ts';
import type { PreparedJob } from './prepare-job.ts';
import type { ShardRunner } from './run-shard.ts';
import { runShards, type ShardWork, type StopReason } from './run-shards.ts';
import { openShardStore, type ShardStore } from './shard-store.ts';
import type { RowSource } from './source/row-source.ts';

/** A job that is being run. */
export interface JobContext {
  /** With an absolute `outputDir`. */
  readonly options: JobOptions;
  readonly job: PreparedJob;
  readonly source: RowSource;
  readonly client: InferClient;
  readonly listener: JobListener;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** Requests in flight for each core: an instance a core, each with one running and one formed, and as many waiting. */
const REQUESTS_PER_CORE = 4;

/** Bounds of the shards in progress: rows of each are in memory. */
const MIN_SHARDS_IN_PROGRESS = 2;
const MAX_SHARDS_IN_PROGRESS = 8;

/** One pass over shards of a job: all that are missing, or those with failed rows. */
export interface JobPass {
  readonly store: ShardStore;
  readonly former: BatchFormer;
  readonly runner: ShardRunner;
  readonly progress: ProgressTracker;
  /** Rows that were through before it began. */
  readonly before: RowCounts;
  /** Requests sent again so far. */
  retries(): number;
  /** Rows in an execution so far; undefined where the client does not tell. */
  meanBatchSize(): number | undefined;
  /** @returns why it stopped early; undefined when all are done. */
  run(shards: Iterable<Shard>, work: Pick<ShardWork, 'form' | 'run'>): Promise<StopReason | undefined>;
}

export interface RowCounts {
  readonly done: number;
  readonly failed: number;
}

/** @param countBefore rows that are through, by what the store holds. */
export async function beginPass(
  context: JobContext,
  countBefore: (store: ShardStore) => RowCounts,
): Promise<JobPass> {
  const { options, job, listener } = context;
  const { plan, file } = job;
  const store = await openShardStore({
    outputDir: options.outputDir,
    identity: file.identity,
    plan,
    resultFiles: job.format.files,
    listener,
  });
  const before = countBefore(store);
  listener({
    kind: 'planned',
    shards: plan.shardCount,
    shardRows: plan.shardRows,
    alreadyDone: before.done + before.failed,
  });
  const progress = new ProgressTracker(file.job_id, plan.rows - plan.firstRow, before, listener);
  const concurrency = options.concurrency ?? REQUESTS_PER_CORE * availableParallelism();
  let retries = 0;
  const runner = createShardRunner(context, concurrency, progress, () => {
    retries += 1;
  });
  return {
    store,
    former: createBatchFormer({
      mapping: job.mapping,
      model: job.model,
      batchSize: file.identity.batch_size,
      allowNonFinite: options.allowNonFinite,
      totalRows: context.source.survey.rows,
    }),
    runner,
    progress,
    before,
    retries: () => retries,
    meanBatchSize: createBatchSizeMeter(context),
    run: (shards, work) => runPass(context, shards, { ...work, store, concurrency, before }),
  };
}

function createBatchSizeMeter({ client, job }: JobContext): () => number | undefined {
  const before = client.executionStatistics(job.model.name);
  return () => {
    const now = client.executionStatistics(job.model.name);
    const executions = (now?.executions ?? 0) - (before?.executions ?? 0);
    return now === undefined || executions === 0 ? undefined : (now.rows - (before?.rows ?? 0)) / executions;
  };
}

function createShardRunner(
  { options, job, client, listener, clock }: JobContext,
  concurrency: number,
  progress: ProgressTracker,
  countRetry: () => void,
): ShardRunner {
  const { model, format, file } = job;
  return {
    format,
    send: {
      client,
      model,
      outputs: file.identity.outputs,
      maxRetries: options.maxRetries,
      clock,
      onRetry: (attempt, error) => {
        countRetry();
        listener({ kind: 'retry', attempt, error });
      },
    },
    limit: pLimit(concurrency),
    clock,
    timeoutSeconds: options.timeoutSeconds,
    onRows: (done, failed) => progress.add(done, failed),
  };
}

interface PassWork extends Pick<ShardWork, 'form' | 'run' | 'store'> {
  readonly concurrency: number;
  readonly before: RowCounts;
}

async function runPass(
  { options, job, source, signal }: JobContext,
  shards: Iterable<Shard>,
  { concurrency, before, ...work }: PassWork,
): Promise<StopReason | undefined> {
  const rowsInFlight = 2 * concurrency * job.file.identity.batch_size;
  const wanted = Math.ceil(rowsInFlight / job.plan.shardRows) + 1;
  return runShards(
    shards,
    {
      ...work,
      source,
      maxInProgress: Math.min(MAX_SHARDS_IN_PROGRESS, Math.max(MIN_SHARDS_IN_PROGRESS, wanted)),
      maxErrors: options.maxErrors ?? Number.POSITIVE_INFINITY,
      failedBefore: before.failed,
    },
    signal,
  );
}
