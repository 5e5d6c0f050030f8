import pRetry from 'p-retry';
import { MillraceError, toMillraceError } from '../base/errors.ts';
import type { InferClient, ModelMetadata } from '../client/infer-client.ts';
import { sliceRows } from '../tensor/split.ts';
import { checkResponse } from './check-response.ts';
import type { OutputColumn } from './manifest.ts';
import type { RowBatch, RowError, RowStage } from './row-batch.ts';
import type { RowResult } from './sink/result-format.ts';

/** How batches are sent; the same for the whole job. */
export interface SendOptions {
  readonly client: InferClient;
  readonly model: ModelMetadata;
  readonly outputs: readonly OutputColumn[];
  /** Tries beyond the first of what may pass on a second try. */
  readonly maxRetries: number;
  /** Told before each further try. */
  readonly onRetry: (attempt: number, error: MillraceError) => void;
}

/** What became of the rows of a batch: each is in one of the two. */
export interface BatchOutcome {
  readonly results: readonly RowResult[];
  readonly errors: readonly RowError[];
}

/** First wait before a second try, and the longest; each is doubled and drawn at random between once and twice. */
const MIN_WAIT_MS = 200;
const MAX_WAIT_MS = 10_000;

/** Failures that one row of a batch may be the cause of: the batch is divided until that row is alone. */
const DIVISIBLE_REASONS: ReadonlySet<string> = new Set([
  'EXECUTION_FAILED',
  'INSTANCE_FAILED',
  'OUTPUT_INVALID',
  'RESPONSE_INVALID',
  'TENSOR_INVALID',
]);

const OUTPUT_REASONS: ReadonlySet<string> = new Set([
  'OUTPUT_BATCH_MISMATCH',
  'OUTPUT_INVALID',
  'RESPONSE_INVALID',
]);

/**
 * Sends a batch, again while that may help, and in halves while one row may be to blame. Never rejects for what a row or
 * the model did wrong.
 * @throws {unknown} the reason of `signal` when it is aborted.
 */
export async function sendBatch(
  batch: RowBatch,
  options: SendOptions,
  signal: AbortSignal,
): Promise<BatchOutcome> {
  let attempts = 0;
  try {
    const response = await pRetry(
      async () => {
        attempts += 1;
        signal.throwIfAborted();
        const result = await options.client.infer(
          {
            modelName: options.model.name,
            modelVersion: options.model.version,
            inputs: batch.inputs,
            requestedOutputs: options.outputs,
            exclusive: true,
          },
          signal,
        );
        checkResponse(
          result,
          options.outputs,
          options.model.maxBatchSize > 0 ? batch.rows.length : undefined,
        );
        return result;
      },
      {
        retries: options.maxRetries,
        minTimeout: MIN_WAIT_MS,
        maxTimeout: MAX_WAIT_MS,
        randomize: true,
        signal,
        shouldRetry: ({ error }) => error instanceof MillraceError && error.transient && !signal.aborted,
        onFailedAttempt: ({ error, retriesLeft }) => {
          if (error instanceof MillraceError && error.transient && retriesLeft > 0 && !signal.aborted) {
            options.onRetry(attempts, error);
          }
        },
      },
    );
    const isSingle = options.model.maxBatchSize === 0;
    return {
      results: batch.rows.map((identity, index) => ({
        identity,
        outputs: response.outputs,
        index: isSingle ? -1 : index,
      })),
      errors: [],
    };
  } catch (error) {
    signal.throwIfAborted();
    const failure = toMillraceError(error, 'the request failed');
    if (batch.rows.length > 1 && DIVISIBLE_REASONS.has(failure.reason)) {
      return sendHalves(batch, options, signal);
    }
    return { results: [], errors: batch.rows.map((row) => rowFailure(row, failure, attempts)) };
  }
}

async function sendHalves(batch: RowBatch, options: SendOptions, signal: AbortSignal): Promise<BatchOutcome> {
  const middle = Math.ceil(batch.rows.length / 2);
  const first = await sendBatch(sliceBatch(batch, 0, middle), options, signal);
  const second = await sendBatch(sliceBatch(batch, middle, batch.rows.length), options, signal);
  return { results: [...first.results, ...second.results], errors: [...first.errors, ...second.errors] };
}

function sliceBatch({ rows, inputs }: RowBatch, start: number, end: number): RowBatch {
  return {
    rows: rows.slice(start, end),
    inputs: new Map([...inputs].map(([name, tensor]) => [name, sliceRows(tensor, start, end)])),
  };
}

function rowFailure(
  { row, line, id }: { readonly row: number; readonly line: number; readonly id: string },
  error: MillraceError,
  attempts: number,
): RowError {
  const stage: RowStage = OUTPUT_REASONS.has(error.reason) ? 'output' : 'infer';
  return { row, line, id, stage, reason: error.reason, message: error.message, attempts };
}
