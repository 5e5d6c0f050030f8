import type { ModelInstance } from '../backend/backend.ts';
import type { Clock } from '../base/clock.ts';
import type { ValidatedRequest } from '../inference/request.ts';
import type { ModelConfig } from '../model-config/model-config.ts';
import { BatchDispatcher } from './batch-dispatcher.ts';
import { runInPieces } from './oversize.ts';
import { policyOfLevel } from './queue-policy.ts';
import { cancelledError, queueFullError, shuttingDownError } from './refusals.ts';
import { ResponseOrder } from './response-order.ts';
import type { ScheduledResult, Scheduler, SchedulerStatistics } from './scheduler.ts';

/** @param config of the model; its instances are added afterwards. */
export function createScheduler(config: ModelConfig, clock: Clock): Scheduler {
  return new DynamicBatcher(config, clock);
}

/**
 * Triton's dynamic batcher, and the scheduler of models without dynamic batching as well: there no request shares a
 * batch. This is its door: who is let in, and in which order answers go out. The dispatcher behind it forms the batches.
 */
class DynamicBatcher implements Scheduler {
  readonly #config: ModelConfig;
  readonly #dispatcher: BatchDispatcher;
  readonly #order: ResponseOrder | undefined;
  /** Why nothing can run, once the last instance was given up. */
  #outage: Error | undefined;
  #closed: Promise<void> | undefined;

  constructor(config: ModelConfig, clock: Clock) {
    this.#config = config;
    this.#dispatcher = new BatchDispatcher(config, clock);
    this.#order = config.dynamicBatching?.preserveOrdering === true ? new ResponseOrder() : undefined;
  }

  schedule(request: ValidatedRequest, signal?: AbortSignal): Promise<ScheduledResult> {
    const refusal = this.#refuse(request, signal);
    if (refusal !== undefined) {
      return Promise.reject(refusal);
    }
    const { maxBatchSize } = this.#config;
    const result =
      maxBatchSize > 0 && request.rows > maxBatchSize
        ? runInPieces(request, maxBatchSize, signal, (piece, own) => this.#dispatcher.enqueue(piece, own))
        : this.#dispatcher.enqueue(request, signal);
    return this.#order === undefined ? result : this.#order.hold(result);
  }

  addInstance(instance: ModelInstance): void {
    this.#outage = undefined;
    this.#dispatcher.addInstance(instance);
  }

  removeInstance(instance: ModelInstance): void {
    this.#dispatcher.removeInstance(instance);
  }

  rejectWaiting(error: Error): void {
    if (this.#dispatcher.instanceCount === 0) {
      this.#outage = error;
    }
    this.#dispatcher.rejectWaiting(error);
  }

  statistics(): SchedulerStatistics {
    return this.#dispatcher.statistics();
  }

  close(): Promise<void> {
    this.#closed ??= this.#dispatcher.drain();
    return this.#closed;
  }

  #refuse(request: ValidatedRequest, signal: AbortSignal | undefined): Error | undefined {
    const { name, dynamicBatching } = this.#config;
    if (this.#closed !== undefined) {
      return shuttingDownError(name);
    }
    if (this.#outage !== undefined) {
      return this.#outage;
    }
    if (signal?.aborted) {
      return cancelledError(name);
    }
    // A request that is cut in pieces needs room for one.
    if (!this.#dispatcher.hasRoom(request.priority)) {
      return queueFullError(name, policyOfLevel(dynamicBatching, request.priority).maxQueueSize);
    }
    return undefined;
  }
}
