/**
 * Triton's dynamic batcher, and for models without dynamic batching its default scheduler: the same thing with a policy
 * that merges nothing.
 *
 * An entry is waiting (in the queue), running (in a batch), or settled. It leaves the queue by running, by an abort, by
 * its deadline or by the end of the model, and its promise is settled exactly once. Decisions are taken in a microtask
 * after something changed, so that requests of one turn of the event loop are seen together.
 */
import type { ModelInstance } from '../backend/backend.ts';
import type { Clock } from '../base/clock.ts';
import { type MillraceError, toMillraceError } from '../base/errors.ts';
import { checkOutputs } from '../inference/check-outputs.ts';
import type { ValidatedRequest } from '../inference/request.ts';
import type { InferenceTimings } from '../inference/timings.ts';
import type { ModelConfig, OutputSpec } from '../model-config/model-config.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { type Batch, createBatch, halveBatch, joinInputs, splitOutputs } from './batch.ts';
import { type BatchPolicy, decideBatch } from './batch-decision.ts';
import { ExecutionCounter } from './execution-counter.ts';
import { InstancePool, type InstanceSlot } from './instance-pool.ts';
import { runInPieces } from './oversize.ts';
import type { QueueEntry } from './queue-entry.ts';
import { policyOfLevel, timeoutOf } from './queue-policy.ts';
import { cancelledError, queueFullError, shuttingDownError, timeoutError } from './refusals.ts';
import { RequestQueue } from './request-queue.ts';
import { ResponseOrder } from './response-order.ts';
import type { ScheduledResult, Scheduler, SchedulerStatistics } from './scheduler.ts';

/** Failures of a batch that one of its requests may be the cause of. */
const DIVISIBLE_REASONS: ReadonlySet<string> = new Set(['EXECUTION_FAILED']);

/** @param config of the model; its instances are added afterwards. */
export function createScheduler(config: ModelConfig, clock: Clock): Scheduler {
  return new DynamicBatcher(config, clock);
}

class DynamicBatcher implements Scheduler {
  readonly #config: ModelConfig;
  readonly #clock: Clock;
  readonly #policy: BatchPolicy;
  readonly #outputs: ReadonlyMap<string, OutputSpec>;
  readonly #queue: RequestQueue;
  readonly #pool = new InstancePool();
  readonly #counter = new ExecutionCounter();
  readonly #order: ResponseOrder | undefined;
  /** Parts of failed batches; they go before everything that waits. */
  readonly #divided: Batch[] = [];
  #dispatchIsDue = false;
  #cancelTimer: (() => void) | undefined;
  #closing = false;
  readonly #idleWaiters: (() => void)[] = [];

  constructor(config: ModelConfig, clock: Clock) {
    this.#config = config;
    this.#clock = clock;
    this.#policy = {
      merges: config.dynamicBatching !== undefined && config.maxBatchSize > 0,
      maxBatchSize: config.maxBatchSize,
      preferredBatchSizes: config.dynamicBatching?.preferredBatchSizes ?? [],
      maxQueueDelayMicroseconds: config.dynamicBatching?.maxQueueDelayMicroseconds ?? 0,
    };
    this.#outputs = new Map(config.outputs.map((output) => [output.name, output]));
    this.#queue = new RequestQueue(config.dynamicBatching);
    this.#order = config.dynamicBatching?.preserveOrdering === true ? new ResponseOrder() : undefined;
  }

  schedule(request: ValidatedRequest, signal?: AbortSignal): Promise<ScheduledResult> {
    const refusal = this.#refuse(request, signal);
    if (refusal !== undefined) {
      return Promise.reject(refusal);
    }
    if (request.rows > this.#config.maxBatchSize && this.#config.maxBatchSize > 0) {
      return runInPieces(request, this.#config.maxBatchSize, (piece) => this.#enqueue(piece, signal));
    }
    return this.#enqueue(request, signal);
  }

  addInstance(instance: ModelInstance): void {
    this.#pool.add(instance);
    this.#dispatchSoon();
  }

  removeInstance(instance: ModelInstance): void {
    this.#pool.remove(instance);
  }

  statistics(): SchedulerStatistics {
    return this.#counter.snapshot(this.#queue.size);
  }

  rejectWaiting(error: Error): void {
    for (const entry of [...this.#queue]) {
      this.#queue.remove(entry);
      this.#reject(entry, error);
    }
    for (const { entries } of this.#divided.splice(0)) {
      for (const entry of entries) {
        this.#reject(entry, error);
      }
    }
    this.#settleIdleWaiters();
  }

  async close(): Promise<void> {
    this.#closing = true;
    // What waits out a queue delay runs now.
    this.#dispatchSoon();
    if (!this.#isIdle()) {
      await new Promise<void>((resolve) => this.#idleWaiters.push(resolve));
    }
    this.#cancelTimer?.();
  }

  #refuse(request: ValidatedRequest, signal: AbortSignal | undefined): MillraceError | undefined {
    const { name } = this.#config;
    if (this.#closing) {
      return shuttingDownError(name);
    }
    if (signal?.aborted) {
      return cancelledError(name);
    }
    if (!this.#queue.hasRoom(request.priority)) {
      return queueFullError(name, policyOfLevel(this.#config.dynamicBatching, request.priority).maxQueueSize);
    }
    return undefined;
  }

  #enqueue(request: ValidatedRequest, signal: AbortSignal | undefined): Promise<ScheduledResult> {
    return new Promise((resolve, reject) => {
      const now = this.#clock.nowMicroseconds();
      const policy = policyOfLevel(this.#config.dynamicBatching, request.priority);
      const entry: QueueEntry = {
        request,
        enqueuedMicroseconds: now,
        deadlineMicroseconds: now + timeoutOf(policy, request.request.timeoutMicroseconds),
        resolve,
        reject,
        settled: false,
        stopListening: undefined,
        ticket: this.#order?.takeTicket(),
        list: undefined,
        previous: undefined,
        next: undefined,
      };
      this.#queue.add(entry);
      if (signal !== undefined) {
        this.#listen(entry, signal);
      }
      this.#dispatchSoon();
    });
  }

  /** Drops the entry when its caller gives up while it waits; what runs is finished, its result going nowhere. */
  #listen(entry: QueueEntry, signal: AbortSignal): void {
    const onAbort = (): void => {
      if (entry.list !== undefined) {
        this.#queue.remove(entry);
      }
      this.#reject(entry, cancelledError(this.#config.name));
      this.#settleIdleWaiters();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    entry.stopListening = () => signal.removeEventListener('abort', onAbort);
  }

  #dispatchSoon(): void {
    if (!this.#dispatchIsDue) {
      this.#dispatchIsDue = true;
      queueMicrotask(() => {
        this.#dispatchIsDue = false;
        this.#dispatch();
      });
    }
  }

  #dispatch(): void {
    const now = this.#clock.nowMicroseconds();
    for (const entry of this.#queue.expire(now)) {
      this.#reject(entry, timeoutError(this.#config.name, now - entry.enqueuedMicroseconds));
    }
    let wakeMicroseconds = Number.POSITIVE_INFINITY;
    for (;;) {
      const idle = this.#pool.findIdle();
      const slot = idle ?? this.#pool.findAhead();
      const divided = idle === undefined ? undefined : this.#divided.shift();
      if (slot === undefined || (this.#queue.size === 0 && divided === undefined)) {
        break;
      }
      if (divided !== undefined) {
        this.#start(slot, divided);
        continue;
      }
      const decision = decideBatch(
        this.#queue,
        this.#queue.rows,
        this.#closing ? { ...this.#policy, maxQueueDelayMicroseconds: 0 } : this.#policy,
        {
          idleInstances: this.#pool.idleInstances,
          aheadOfRows: idle === undefined ? slot.lastRows : undefined,
        },
        now,
      );
      if (decision.kind === 'wait') {
        wakeMicroseconds = decision.untilMicroseconds ?? wakeMicroseconds;
        break;
      }
      for (const entry of decision.entries) {
        this.#queue.remove(entry);
      }
      this.#start(slot, createBatch(decision.entries));
    }
    this.#wakeAt(Math.min(wakeMicroseconds, this.#queue.nextDeadline() ?? Number.POSITIVE_INFINITY), now);
    this.#settleIdleWaiters();
  }

  #wakeAt(microseconds: number, now: number): void {
    this.#cancelTimer?.();
    this.#cancelTimer =
      microseconds === Number.POSITIVE_INFINITY
        ? undefined
        : this.#clock.schedule(microseconds - now, () => this.#dispatchSoon());
  }

  #start(slot: InstanceSlot, batch: Batch): void {
    slot.inFlight += 1;
    slot.lastRows = batch.rows;
    void this.#run(slot, batch).finally(() => {
      slot.inFlight -= 1;
      this.#dispatchSoon();
    });
  }

  async #run(slot: InstanceSlot, batch: Batch): Promise<void> {
    const startMicroseconds = this.#clock.nowMicroseconds();
    try {
      const inputs = joinInputs(batch);
      const joinedMicroseconds = this.#clock.nowMicroseconds();
      this.#counter.addExecution(batch.rows);
      const { outputs, computeMicroseconds } = await slot.instance.execute({
        inputs,
        outputNames: batch.outputNames,
      });
      slot.lastComputeMicroseconds = computeMicroseconds;
      this.#checkOutputs(batch, outputs);
      const times = {
        computeInputMicroseconds: joinedMicroseconds - startMicroseconds,
        computeInferMicroseconds: computeMicroseconds,
        // The outputs are views: what is left is the check of them.
        computeOutputMicroseconds: 0,
        batchRows: batch.rows,
      };
      this.#deliver(batch, outputs, times, startMicroseconds);
    } catch (error) {
      this.#handleFailure(batch, toMillraceError(error, `model '${this.#config.name}' failed`));
    }
  }

  #checkOutputs(batch: Batch, outputs: readonly Tensor[]): void {
    const specs = batch.outputNames.flatMap((name) => this.#outputs.get(name) ?? []);
    checkOutputs(this.#config.name, specs, outputs, this.#config.maxBatchSize > 0 ? batch.rows : undefined);
  }

  #deliver(
    batch: Batch,
    outputs: readonly Tensor[],
    times: Omit<InferenceTimings, 'queueMicroseconds'>,
    start: number,
  ): void {
    const parts = splitOutputs(batch, outputs);
    for (const [index, entry] of batch.entries.entries()) {
      this.#counter.addInferences(entry.request.rows);
      this.#settle(entry, () =>
        entry.resolve({
          outputs: parts[index] ?? [],
          timings: { ...times, queueMicroseconds: start - entry.enqueuedMicroseconds },
        }),
      );
    }
  }

  /** A batch that one request may have spoiled is halved until that request is alone. */
  #handleFailure(batch: Batch, error: MillraceError): void {
    if (batch.entries.length > 1 && DIVISIBLE_REASONS.has(error.reason)) {
      this.#divided.push(...halveBatch(batch));
      return;
    }
    for (const entry of batch.entries) {
      this.#reject(entry, error);
    }
  }

  #reject(entry: QueueEntry, error: Error): void {
    this.#settle(entry, () => entry.reject(error));
  }

  #settle(entry: QueueEntry, deliver: () => void): void {
    if (entry.settled) {
      return;
    }
    entry.settled = true;
    entry.stopListening?.();
    if (this.#order === undefined || entry.ticket === undefined) {
      deliver();
    } else {
      this.#order.release(entry.ticket, deliver);
    }
  }

  #isIdle(): boolean {
    return this.#queue.size === 0 && this.#divided.length === 0 && this.#pool.inFlight === 0;
  }

  #settleIdleWaiters(): void {
    if (this.#closing && this.#isIdle()) {
      for (const resolve of this.#idleWaiters.splice(0)) {
        resolve();
      }
    }
  }
}
