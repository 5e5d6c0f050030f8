import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { LimitFunction } from 'p-limit';
import type { Clock } from '../base/clock.ts';
import { MillraceError } from '../base/errors.ts';
import { countNonFinite } from '../tensor/non-finite.ts';
import type { FormedBatches } from './form-batches.ts';
import type { RowError } from './row-batch.ts';
import { type BatchOutcome, type SendOptions, sendBatch } from './send-batch.ts';
import { formatErrors } from './sink/error-lines.ts';
import type { ResultFormat, RowResult } from './sink/result-format.ts';

/** What every shard of a job needs. */
export interface ShardRunner {
  readonly format: ResultFormat;
  readonly send: SendOptions;
  /** Lets a bounded number of requests of the whole job be in flight. */
  readonly limit: LimitFunction;
  readonly clock: Clock;
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
 * Runs the batches of a shard through the model: the same batches give the same parts.
 * @throws {unknown} the reason of `stop` when it is aborted before the last row was sent.
 */
export async function runShard(
  { batches, errors: unreadable }: FormedBatches,
  runner: ShardRunner,
  stop: AbortSignal,
): Promise<ShardOutcome> {
  runner.onRows(0, unreadable.length);
  const { deadline, cancel } = startDeadline(runner);
  try {
    const outcomes = await Promise.all(
      batches.map((batch) =>
        runner.limit(async () => {
          const outcome = await sendBatch(batch, runner.send, { stop, deadline });
          runner.onRows(outcome.results.length, outcome.errors.length);
          return outcome;
        }),
      ),
    );
    return await assembleShard(outcomes, unreadable, runner.format);
  } finally {
    cancel();
  }
}

/** A signal that is aborted when the shard has taken too long, with what is then said of the rows that are left. */
function startDeadline({ clock, timeoutSeconds }: ShardRunner): {
  readonly deadline: AbortSignal;
  readonly cancel: () => void;
} {
  const controller = new AbortController();
  // Each request in flight listens to it.
  setMaxListeners(0, controller.signal);
  const pass = (): void =>
    controller.abort(
      new MillraceError(
        'SHARD_TIMEOUT',
        `the shard took longer than ${timeoutSeconds} s and this row was not through: raise --timeout or lower --shard-rows, ` +
          'then run with --retry-failed',
      ),
    );
  const cancel = timeoutSeconds === undefined ? () => {} : clock.schedule(timeoutSeconds * 1e6, pass);
  return { deadline: controller.signal, cancel };
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
