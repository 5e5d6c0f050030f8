import { setImmediate } from 'node:timers/promises';
import type { LimitFunction } from 'p-limit';
import { MillraceError } from '../base/errors.ts';
import { countNonFinite } from '../tensor/non-finite.ts';
import type { BatchFormer } from './form-batches.ts';
import type { RowBatch, RowError } from './row-batch.ts';
import { type BatchOutcome, type SendOptions, sendBatch } from './send-batch.ts';
import { formatErrors } from './sink/error-lines.ts';
import type { ResultFormat, RowResult } from './sink/result-format.ts';
import type { SourceRow } from './source/row-source.ts';

/** What every shard of a job needs. */
export interface ShardRunner {
  readonly former: BatchFormer;
  readonly format: ResultFormat;
  readonly send: SendOptions;
  /** Lets a bounded number of requests of the whole job be in flight. */
  readonly limit: LimitFunction;
  /** Longest time for a shard; undefined: none. */
  readonly timeoutSeconds: number | undefined;
  /** Told when rows have got their result or error. */
  readonly onRows: (done: number, failed: number) => void;
}

/** The results of a shard, ready to be written. */
export interface ShardOutcome {
  readonly done: number;
  readonly failed: number;
  readonly nonFiniteValues: number;
  /** For each file of the format the pieces of its part, and last that of the errors. */
  readonly parts: readonly (readonly Buffer[])[];
}

/**
 * Runs rows through the model: the same rows give the same parts.
 * @throws {unknown} the reason of `signal` when it is aborted before the last row is through.
 */
export async function runShard(
  rows: readonly SourceRow[],
  runner: ShardRunner,
  signal: AbortSignal,
): Promise<ShardOutcome> {
  const { batches, errors: unreadable } = await runner.former.formBatches(rows);
  runner.onRows(0, unreadable.length);
  const deadline = new AbortController();
  const timer =
    runner.timeoutSeconds === undefined
      ? undefined
      : setTimeout(() => deadline.abort(SHARD_IS_LATE), runner.timeoutSeconds * 1000);
  try {
    const either = AbortSignal.any([signal, deadline.signal]);
    const outcomes = await Promise.all(
      batches.map((batch) =>
        runner.limit(async () => {
          const outcome = await sendUnlessLate(batch, runner, either, deadline.signal);
          runner.onRows(outcome.results.length, outcome.errors.length);
          return outcome;
        }),
      ),
    );
    return await assembleShard(outcomes, unreadable, runner.format);
  } finally {
    clearTimeout(timer);
  }
}

const SHARD_IS_LATE = new Error('the shard is late');

async function sendUnlessLate(
  batch: RowBatch,
  runner: ShardRunner,
  either: AbortSignal,
  deadline: AbortSignal,
): Promise<BatchOutcome> {
  try {
    either.throwIfAborted();
    return await sendBatch(batch, runner.send, either);
  } catch (error) {
    if (!deadline.aborted || (either.aborted && either.reason !== SHARD_IS_LATE)) {
      throw error;
    }
    return { results: [], errors: batch.rows.map((row) => lateRow(row, runner.timeoutSeconds ?? 0)) };
  }
}

function lateRow({ row, line, id }: RowBatch['rows'][number], seconds: number): RowError {
  const message = `the shard took longer than ${seconds} s and this row was not through: raise --timeout, then --retry-failed`;
  return { row, line, id, stage: 'timeout', reason: 'SHARD_TIMEOUT', message, attempts: 0 };
}

/** Rows formatted in one turn of the event loop: answers of the model must not wait for long. */
const ROWS_BETWEEN_YIELDS = 256;

async function assembleShard(
  outcomes: readonly BatchOutcome[],
  unreadable: readonly RowError[],
  format: ResultFormat,
): Promise<ShardOutcome> {
  const errors = [...unreadable, ...outcomes.flatMap((outcome) => outcome.errors)];
  const results = outcomes
    .flatMap((outcome) => outcome.results)
    .sort((a, b) => a.identity.row - b.identity.row);
  const parts: Buffer[][] = format.files.map(() => []);
  let done = 0;
  for (let start = 0; start < results.length; start += ROWS_BETWEEN_YIELDS) {
    const writable = findWritable(results.slice(start, start + ROWS_BETWEEN_YIELDS), format);
    done += writable.results.length;
    errors.push(...writable.errors);
    for (const [index, part] of writable.parts.entries()) {
      parts[index]?.push(part);
    }
    await setImmediate();
  }
  return {
    done,
    failed: errors.length,
    nonFiniteValues: countNonFiniteValues(results),
    parts: [...parts, [formatErrors(errors)]],
  };
}

interface WritableRows {
  readonly results: readonly RowResult[];
  readonly parts: readonly Buffer[];
  readonly errors: readonly RowError[];
}

/** Leaves out rows with a value that the format cannot hold, such as bytes that are no text. */
function findWritable(results: readonly RowResult[], format: ResultFormat): WritableRows {
  try {
    return { results, parts: format.formatRows(results), errors: [] };
  } catch (error) {
    if (!(error instanceof MillraceError) || results.length === 0) {
      throw error;
    }
    const [only, ...others] = results;
    if (only !== undefined && others.length === 0) {
      const { row, line, id } = only.identity;
      const { reason, message } = error;
      const parts = format.formatRows([]);
      return {
        results: [],
        parts,
        errors: [{ row, line, id, stage: 'output', reason, message, attempts: 1 }],
      };
    }
    const middle = Math.ceil(results.length / 2);
    const first = findWritable(results.slice(0, middle), format);
    const second = findWritable(results.slice(middle), format);
    return {
      results: [...first.results, ...second.results],
      parts: first.parts.map((part, index) => Buffer.concat([part, second.parts[index] ?? Buffer.alloc(0)])),
      errors: [...first.errors, ...second.errors],
    };
  }
}

/** Rows of a batch share its outputs, which are counted once. */
function countNonFiniteValues(results: readonly RowResult[]): number {
  let count = 0;
  for (const outputs of new Set(results.map((result) => result.outputs))) {
    for (const tensor of outputs.values()) {
      count += countNonFinite(tensor);
    }
  }
  return count;
}
