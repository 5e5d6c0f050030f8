/** Rows `[start, end)` of the input, the unit in which a job is done, recorded and resumed. */
export interface Shard {
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

export interface PlanRequest {
  /** Rows of the whole input. */
  readonly rows: number;
  /** Size of its text. */
  readonly textBytes: number;
  /** First row of the job. */
  readonly firstRow: number;
  readonly batchSize: number;
  /** Rows in a shard; undefined: chosen here. */
  readonly shardRows: number | undefined;
}

/** How the rows of a job are divided. Shards are computed by index, so that a plan takes no memory. */
export interface ShardPlan {
  readonly shardRows: number;
  readonly firstRow: number;
  readonly rows: number;
  readonly shardCount: number;
}

/** About so many shards: enough to lose little in a crash, few enough that each is worth its files. */
const TARGET_SHARDS = 64;
const MIN_SHARD_ROWS = 512;
const MAX_SHARD_ROWS = 8192;

/** A shard's text is held in memory, and several shards are in progress. */
const MAX_SHARD_BYTES = 8 << 20;

/**
 * Divides the rows into shards of equal size, whole batches each where that is possible. The same request gives the same
 * plan.
 */
export function planShards({ rows, textBytes, firstRow, batchSize, shardRows }: PlanRequest): ShardPlan {
  const size = shardRows ?? chooseShardRows(rows, textBytes, batchSize);
  const planned = Math.max(0, rows - firstRow);
  return { shardRows: size, firstRow, rows, shardCount: Math.ceil(planned / size) };
}

function chooseShardRows(rows: number, textBytes: number, batchSize: number): number {
  const even = Math.ceil(rows / TARGET_SHARDS);
  const bounded = Math.min(MAX_SHARD_ROWS, Math.max(MIN_SHARD_ROWS, even));
  const bytesPerRow = rows === 0 ? 0 : textBytes / rows;
  const byBytes = bytesPerRow === 0 ? bounded : Math.max(1, Math.floor(MAX_SHARD_BYTES / bytesPerRow));
  const size = Math.min(bounded, byBytes);
  return size < batchSize ? size : Math.ceil(size / batchSize) * batchSize;
}

/** The shard of an index from 0 to `shardCount - 1`. */
export function shardAt(plan: ShardPlan, index: number): Shard {
  const start = plan.firstRow + index * plan.shardRows;
  return { index, start, end: Math.min(plan.rows, start + plan.shardRows) };
}
