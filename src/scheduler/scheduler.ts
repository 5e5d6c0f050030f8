import type { ModelInstance } from '../backend/backend.ts';
import type { ValidatedRequest } from '../inference/request.ts';
import type { InferenceTimings } from '../inference/timings.ts';
import type { Tensor } from '../tensor/tensor.ts';

/** What the model gave for one request: a tensor for each of its `outputNames`, in that order. */
export interface ScheduledResult {
  readonly outputs: readonly Tensor[];
  readonly timings: InferenceTimings;
}

/** Counters since the scheduler was made. They only grow. */
export interface SchedulerStatistics {
  /** Executions on an instance, those of a divided batch included. */
  readonly executionCount: number;
  /** Rows of successful requests: `inference_count` in Triton's words. */
  readonly inferenceCount: number;
  /** Requests waiting now. */
  readonly pendingRequests: number;
  /** Executions by their number of rows. */
  readonly executionsByRows: ReadonlyMap<number, number>;
}

/** Decides when and with whom a request runs. */
export interface Scheduler {
  /**
   * Runs one request. An abort drops it if it has not begun to run; one that runs is finished, its result thrown away.
   * @throws {MillraceError} QUEUE_FULL, REQUEST_TIMEOUT, REQUEST_CANCELLED, SHUTTING_DOWN, EXECUTION_FAILED,
   *   OUTPUT_BATCH_MISMATCH, OUTPUT_INVALID, INSTANCE_FAILED: always as a rejection, never synchronously.
   */
  schedule(request: ValidatedRequest, signal?: AbortSignal): Promise<ScheduledResult>;
  /**
   * From now on the instance takes batches, until it dies or is removed. It stays its owner's: the scheduler never closes
   * it.
   */
  addInstance(instance: ModelInstance): void;
  /** From now on the instance takes none; what it runs is finished. */
  removeInstance(instance: ModelInstance): void;
  /**
   * Fails everything that waits with `error`, and what comes later as well until there is an instance again: for a model
   * that has lost its last one.
   */
  rejectWaiting(error: Error): void;
  statistics(): SchedulerStatistics;
  /** Takes nothing new, finishes what is queued and running. Does not close the instances. Idempotent. */
  close(): Promise<void>;
}
