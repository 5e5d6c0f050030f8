/**
 * The way of a request from its arrival to its answer.
 *
 * A request waits, runs, and is answered. It leaves the queue by running, by an abort, by its deadline, or when the model
 * has no instance left; its promise is settled exactly once. What runs next is decided at the end of the turn of the event
 * loop in which something changed, so that requests that come in together are seen together. An instance that comes back
 * is given what waits before the rows of its last batch are handed out.
 */
import type { ModelInstance } from '../backend/backend.ts';
import type { Clock } from '../base/clock.ts';
import { createDeferred, type Deferred } from '../base/deferred.ts';
import { MillraceError, toMillraceError } from '../base/errors.ts';
import type { ValidatedRequest } from '../inference/request.ts';
import type { ModelConfig } from '../model-config/model-config.ts';
import { AbortListeners } from './abort-listeners.ts';
import { type Batch, createBatch } from './batch.ts';
import { type BatchPolicy, decideBatch } from './batch-decision.ts';
import { type BatchExecution, BatchExecutor } from './batch-executor.ts';
import { ExecutionCounter } from './execution-counter.ts';
import { InstancePool, type InstanceSlot } from './instance-pool.ts';
import { createEntry, type QueueEntry } from './queue-entry.ts';
import { policyOfLevel, timeoutOf } from './queue-policy.ts';
import { cancelledError, timeoutError } from './refusals.ts';
import { RequestQueue } from './request-queue.ts';
import type { ScheduledResult, SchedulerStatistics } from './scheduler.ts';
import { WakeTimer } from './wake-timer.ts';

/** The queue, the instances and the batches of one model. Its door is the `DynamicBatcher`. */
export class BatchDispatcher {
  readonly #config: ModelConfig;
  readonly #clock: Clock;
  #policy: BatchPolicy;
  readonly #queue: RequestQueue;
  readonly #pool = new InstancePool();
  readonly #executor: BatchExecutor;
  readonly #counter = new ExecutionCounter();
  readonly #timer: WakeTimer;
  readonly #aborts = new AbortListeners((entry) => this.#cancel(entry));
  /** Parts of failed batches, to be run again. They go before everything that waits. */
  #divided: (readonly QueueEntry[])[] = [];
  /** Batches that are not answered yet. */
  #running = 0;
  #dispatchIsDue = false;
  #drained: Deferred<void> | undefined;

  constructor(config: ModelConfig, clock: Clock) {
    const { dynamicBatching, maxBatchSize } = config;
    this.#config = config;
    this.#clock = clock;
    this.#policy = {
      maxBatchSize,
      preferredBatchSizes: dynamicBatching?.preferredBatchSizes ?? [],
      maxQueueDelayMicroseconds: dynamicBatching?.maxQueueDelayMicroseconds ?? 0,
    };
    this.#queue = new RequestQueue(dynamicBatching);
    this.#executor = new BatchExecutor(config, clock);
    this.#timer = new WakeTimer(clock, () => this.#dispatchSoon());
  }

  get instanceCount(): number {
    return this.#pool.size;
  }

  addInstance(instance: ModelInstance): void {
    this.#pool.add(instance);
    void instance.failed.then(() => this.#pool.remove(instance));
    this.#dispatchSoon();
  }

  removeInstance(instance: ModelInstance): void {
    this.#pool.remove(instance);
  }

  statistics(): SchedulerStatistics {
    return this.#counter.snapshot(this.#queue.size);
  }

  /** True when one more request of the priority may wait. */
  hasRoom(priority: number): boolean {
    if (!this.#queue.hasRoom(priority)) {
      // Some of what waits may be about to run, or late.
      this.#dispatch();
    }
    return this.#queue.hasRoom(priority);
  }

  /** @param request with no more rows than a batch may have. */
  enqueue(request: ValidatedRequest, signal: AbortSignal | undefined): Promise<ScheduledResult> {
    return new Promise((resolve, reject) => {
      const now = this.#clock.nowMicroseconds();
      const policy = policyOfLevel(this.#config.dynamicBatching, request.priority);
      const deadline = now + timeoutOf(policy, request.request.timeoutMicroseconds);
      const entry = createEntry(request, signal, now, deadline, resolve, reject);
      const alone = !canShare(request, this.#config);
      this.#queue.add(entry, alone);
      if (signal !== undefined) {
        this.#aborts.add(entry, signal);
      }
      if (alone && !this.#dispatchIsDue) {
        // Nothing that may come in would join it.
        this.#dispatch();
      } else {
        this.#dispatchSoon();
      }
    });
  }

  /** Fails everything that waits. */
  rejectWaiting(error: Error): void {
    const divided = this.#divided.flat();
    this.#divided = [];
    this.#rejectAll(divided, error);
    this.#rejectAll(this.#queue.clear(), error);
    this.#settleDrained();
  }

  /** Resolves once nothing waits or runs. What waits out a queue delay runs now. */
  drain(): Promise<void> {
    this.#drained ??= createDeferred();
    this.#policy = { ...this.#policy, maxQueueDelayMicroseconds: 0 };
    this.#dispatchSoon();
    this.#settleDrained();
    return this.#drained.promise;
  }

  /** The caller gives up: what waits is dropped, what runs is finished for nobody. */
  #cancel(entry: QueueEntry): void {
    if (entry.list !== undefined) {
      this.#queue.remove(entry);
    }
    this.#reject(entry, cancelledError(this.#config.name));
    this.#settleDrained();
  }

  #dispatchSoon(): void {
    if (!this.#dispatchIsDue) {
      this.#dispatchIsDue = true;
      setImmediate(() => {
        this.#dispatchIsDue = false;
        this.#dispatch();
      });
    }
  }

  /** Refuses what is late, and starts everything that can run now. */
  #dispatch(): void {
    const now = this.#clock.nowMicroseconds();
    for (const entry of this.#queue.expire(now)) {
      this.#reject(entry, timeoutError(this.#config.name, now - entry.enqueuedMicroseconds));
    }
    let wakeMicroseconds = this.#queue.nextDeadlineMicroseconds;
    for (;;) {
      const idleSlot = this.#pool.findIdle();
      const slot = idleSlot ?? this.#pool.findAhead();
      if (slot === undefined) {
        break;
      }
      const next =
        this.#takeDivided() ?? this.#takeWaiting(idleSlot === undefined ? 0 : this.#pool.idle, now);
      if (typeof next === 'number') {
        wakeMicroseconds = Math.min(wakeMicroseconds, next);
        break;
      }
      void this.#run(slot, createBatch(next));
    }
    this.#timer.wakeAt(wakeMicroseconds, now);
    this.#settleDrained();
  }

  /** A part of a failed batch; those of it that were given up meanwhile are dropped. */
  #takeDivided(): readonly QueueEntry[] | undefined {
    for (let part = this.#divided.shift(); part !== undefined; part = this.#divided.shift()) {
      const live = part.filter(({ settled }) => !settled);
      if (live.length > 0) {
        return live;
      }
    }
    return undefined;
  }

  /** The requests of the next batch, out of the queue; else the time at which to look again. */
  #takeWaiting(idle: number, now: number): readonly QueueEntry[] | number {
    const decision = decideBatch(this.#queue, this.#policy, { idle, ahead: idle === 0 }, now);
    if (decision.kind === 'wait') {
      return decision.untilMicroseconds;
    }
    for (const entry of decision.entries) {
      this.#queue.remove(entry);
    }
    return decision.entries;
  }

  async #run(slot: InstanceSlot, batch: Batch): Promise<void> {
    slot.inFlight += 1;
    this.#running += 1;
    this.#counter.addExecution(batch.rows);
    const outcome = await this.#executor.execute(slot.instance, batch).catch(toBatchError);
    slot.inFlight -= 1;
    if (outcome instanceof MillraceError) {
      this.#handleFailure(slot, batch, outcome);
      this.#dispatchSoon();
    } else {
      slot.lastComputeMicroseconds = outcome.computeMicroseconds;
      // When a decision is due anyway, more is coming in: to take a part of it now would make two small batches of one.
      if (!this.#dispatchIsDue) {
        this.#dispatch();
      }
      this.#answer(outcome);
    }
    this.#running -= 1;
    this.#settleDrained();
  }

  #answer(execution: BatchExecution): void {
    const { entries } = execution.batch;
    let results: readonly ScheduledResult[];
    try {
      results = this.#executor.divide(execution);
    } catch (error) {
      // A wrong output is the fault of the model and of no request: all of the batch are told.
      this.#rejectAll(entries, toBatchError(error));
      return;
    }
    for (const [index, result] of results.entries()) {
      const entry = entries[index];
      if (entry !== undefined && !entry.settled) {
        this.#counter.addInferences(entry.request.rows);
        this.#leave(entry);
        entry.resolve(result);
      }
    }
  }

  /**
   * A batch that the runtime refuses is halved until the request that spoils it is alone. A dead instance takes its
   * batches with it: on the next one they could do the same.
   */
  #handleFailure(slot: InstanceSlot, { entries }: Batch, error: MillraceError): void {
    if (error.reason === 'INSTANCE_FAILED') {
      this.#pool.remove(slot.instance);
    }
    if (error.reason === 'EXECUTION_FAILED' && entries.length > 1) {
      const middle = Math.ceil(entries.length / 2);
      this.#divided.push(entries.slice(0, middle), entries.slice(middle));
    } else {
      this.#rejectAll(entries, error);
    }
  }

  #rejectAll(entries: readonly QueueEntry[], error: Error): void {
    for (const entry of entries) {
      this.#reject(entry, error);
    }
  }

  #reject(entry: QueueEntry, error: Error): void {
    if (!entry.settled) {
      this.#leave(entry);
      entry.reject(error);
    }
  }

  #leave(entry: QueueEntry): void {
    entry.settled = true;
    if (entry.signal !== undefined) {
      this.#aborts.remove(entry, entry.signal);
    }
  }

  #settleDrained(): void {
    const isEmpty = this.#queue.size === 0 && this.#divided.length === 0 && this.#running === 0;
    if (isEmpty && this.#drained !== undefined) {
      this.#timer.stop();
      this.#drained.resolve();
    }
  }
}

/** False: it runs alone. Without a single input the model could not tell how many requests stand in a batch. */
function canShare(
  { request, inputs }: ValidatedRequest,
  { dynamicBatching, maxBatchSize }: ModelConfig,
): boolean {
  const batches = dynamicBatching !== undefined && maxBatchSize > 0;
  return batches && request.exclusive !== true && inputs.some((input) => input !== undefined);
}

function toBatchError(error: unknown): MillraceError {
  return toMillraceError(error, 'a batch could not be run');
}
