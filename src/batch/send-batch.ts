import type { Clock } from '../base/clock.ts';
import { type MillraceError, toMillraceError } from '../base/errors.ts';
import type { InferClient, ModelMetadata } from '../client/infer-client.ts';
import type { InferenceResponse } from '../inference/response.ts';
import { sliceRows } from '../tensor/split.ts';
import { orAborted, wait } from './abortable.ts';
import { checkResponse } from './check-response.ts';
import type { OutputColumn } from './manifest.ts';
import { retryDelayMicroseconds } from './retry-delay.ts';
import type { RowBatch, RowError, RowIdentity, RowStage } from './row-batch.ts';
import type { RowResult } from './sink/result-format.ts';

/** How batches are sent; the same for the whole job. */
export interface SendOptions {
  readonly client: InferClient;
  readonly model: ModelMetadata;
  readonly outputs: readonly OutputColumn[];
  /** Tries beyond the first of what may pass on a second try. */
  readonly maxRetries: number;
  readonly clock: Clock;
  /** Told before each further try. */
  readonly onRetry: (attempt: number, error: MillraceError) => void;
}

/** What ends the sending. */
export interface SendLimits {
  /** Nothing more is sent; what is in flight is waited for. */
  readonly stop: AbortSignal;
  /** Nothing is waited for any more. Its reason is the error of the rows that are left. */
  readonly deadline: AbortSignal;
}

/** What became of the rows of a batch: each is in one of the two. */
export interface BatchOutcome {
  readonly results: readonly RowResult[];
  readonly errors: readonly RowError[];
}

/** Failures that one row of a batch may be the cause of: the batch is divided until that row is alone. */
const DIVISIBLE_REASONS: ReadonlySet<string> = new Set([
  'EXECUTION_FAILED',
  'INSTANCE_FAILED',
  'OUTPUT_INVALID',
  'RESPONSE_INVALID',
  'TENSOR_INVALID',
]);

/** Where in its way a row failed; every other reason came about while the model ran. */
const STAGE_BY_REASON: Readonly<Partial<Record<string, RowStage>>> = {
  OUTPUT_BATCH_MISMATCH: 'output',
  OUTPUT_INVALID: 'output',
  RESPONSE_INVALID: 'output',
  SHARD_TIMEOUT: 'timeout',
};

/**
 * Sends a batch, again while that may help, and in halves while one row may be to blame. What a row, the model or the
 * deadline did becomes row errors.
 * @throws {unknown} the reason of `stop` when it is aborted before the last row was sent.
 */
export function sendBatch(batch: RowBatch, options: SendOptions, limits: SendLimits): Promise<BatchOutcome> {
  return new BatchSender(options, limits).send(batch, 0);
}

class BatchSender {
  readonly #options: SendOptions;
  readonly #limits: SendLimits;

  constructor(options: SendOptions, limits: SendLimits) {
    this.#options = options;
    this.#limits = limits;
  }

  /** @param sent times that these rows were sent before, in larger batches. */
  async send(batch: RowBatch, sent: number): Promise<BatchOutcome> {
    for (let attempt = 1; ; attempt += 1) {
      const { stop, deadline } = this.#limits;
      if (deadline.aborted) {
        return failRows(batch, deadline.reason, sent + attempt - 1);
      }
      stop.throwIfAborted();
      try {
        const { outputs } = await orAborted(this.#infer(batch), deadline);
        const hasBatchDimension = this.#options.model.maxBatchSize > 0;
        const results = batch.rows.map((identity, index) => ({
          identity,
          outputs,
          index: hasBatchDimension ? index : -1,
        }));
        return { results, errors: [] };
      } catch (error) {
        const failure = toMillraceError(error, 'the request failed');
        if (failure.transient && attempt <= this.#options.maxRetries) {
          this.#options.onRetry(attempt, failure);
          await this.#waitToRetry(attempt);
        } else if (batch.rows.length > 1 && DIVISIBLE_REASONS.has(failure.reason)) {
          return this.#sendHalves(batch, sent + attempt);
        } else {
          return failRows(batch, failure, sent + attempt);
        }
      }
    }
  }

  async #infer({ rows, inputs }: RowBatch): Promise<InferenceResponse> {
    const { client, model, outputs } = this.#options;
    const response = await client.infer(
      {
        modelName: model.name,
        modelVersion: model.version,
        inputs,
        requestedOutputs: outputs.map(({ name }) => ({ name })),
        exclusive: true,
      },
      this.#limits.deadline,
    );
    checkResponse(response, outputs, model.maxBatchSize > 0 ? rows.length : undefined);
    return response;
  }

  /** Returns early when the deadline passes; the next try then sees it. */
  async #waitToRetry(attempt: number): Promise<void> {
    const { stop, deadline } = this.#limits;
    const delay = retryDelayMicroseconds(attempt, Math.random());
    try {
      await orAborted(wait(this.#options.clock, delay, stop), deadline);
    } catch (error) {
      if (!deadline.aborted) {
        throw error;
      }
    }
  }

  async #sendHalves({ rows, inputs }: RowBatch, sent: number): Promise<BatchOutcome> {
    const middle = Math.ceil(rows.length / 2);
    const slice = (start: number, end: number): RowBatch => ({
      rows: rows.slice(start, end),
      inputs: new Map([...inputs].map(([name, tensor]) => [name, sliceRows(tensor, start, end)])),
    });
    const first = await this.send(slice(0, middle), sent);
    const second = await this.send(slice(middle, rows.length), sent);
    return { results: [...first.results, ...second.results], errors: [...first.errors, ...second.errors] };
  }
}

function failRows({ rows }: RowBatch, error: unknown, attempts: number): BatchOutcome {
  const { reason, message } = toMillraceError(error, 'the request failed');
  const stage = STAGE_BY_REASON[reason] ?? 'infer';
  const fail = ({ row, line, id }: RowIdentity): RowError => ({
    row,
    line,
    id,
    stage,
    reason,
    message,
    attempts,
  });
  return { results: [], errors: rows.map(fail) };
}
