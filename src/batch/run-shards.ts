import { setMaxListeners } from 'node:events';
import { type MillraceError, toMillraceError } from '../base/errors.ts';
import type { FormedBatches } from './form-batches.ts';
import type { Shard } from './plan.ts';
import type { ShardOutcome } from './run-shard.ts';
import type { ShardStore } from './shard-store.ts';
import type { RowSource, SourceRow } from './source/row-source.ts';

/** What `runShards` does with each shard. */
export interface ShardWork {
  readonly source: RowSource;
  readonly store: ShardStore;
  /** Shards in progress at once: enough that requests are always in flight, few enough for memory. */
  readonly maxInProgress: number;
  /** The batches of a shard: of all its rows, unless only those that failed run again. One shard is formed at a time. */
  readonly form: (shard: Shard, rows: AsyncIterable<readonly SourceRow[]>) => Promise<FormedBatches>;
  readonly run: (shard: Shard, formed: FormedBatches, signal: AbortSignal) => Promise<ShardOutcome>;
  /** Failed rows that end the work when there are more; Infinity: any number is borne. */
  readonly maxErrors: number;
  /** Rows that failed before. */
  readonly failedBefore: number;
}

export type StopReason = 'signal' | 'max-errors';

/**
 * Runs shards, several at once, and records each as it ends. Whatever is not through when the work is stopped is dropped:
 * it is simply not done.
 * @returns why it stopped early; undefined when every shard is done.
 * @throws {MillraceError} when results cannot be written or the input cannot be read.
 */
export async function runShards(
  shards: Iterable<Shard>,
  work: ShardWork,
  signal: AbortSignal,
): Promise<StopReason | undefined> {
  const enough = new AbortController();
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, enough.signal, failed.signal]);
  // Every shard in progress listens to it.
  setMaxListeners(0, stop);
  let failedRows = work.failedBefore;
  let failure: MillraceError | undefined;
  const fail = (error: unknown): void => {
    failure ??= toMillraceError(error, 'the job failed');
    failed.abort();
  };
  const inProgress = new Set<Promise<void>>();
  const runOne = async (shard: Shard, formed: FormedBatches): Promise<void> => {
    try {
      const outcome = await work.run(shard, formed, stop);
      const record = await work.store.add(shard, outcome);
      failedRows += record.failed;
    } catch (error) {
      if (!stop.aborted) {
        fail(error);
      }
    }
  };
  try {
    for (const shard of shards) {
      if (failedRows > work.maxErrors) {
        enough.abort();
      }
      if (stop.aborted) {
        break;
      }
      const formed = await work.form(shard, work.source.readRows(shard.start, shard.end));
      const task = runOne(shard, formed);
      inProgress.add(task);
      void task.finally(() => inProgress.delete(task));
      while (inProgress.size >= work.maxInProgress) {
        await Promise.race(inProgress);
      }
    }
  } catch (error) {
    fail(error);
  }
  await Promise.all(inProgress);
  if (failure !== undefined) {
    throw failure;
  }
  if (enough.signal.aborted) {
    return 'max-errors';
  }
  return signal.aborted ? 'signal' : undefined;
}
