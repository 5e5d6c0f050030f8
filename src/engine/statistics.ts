import type { Reason } from '../base/reasons.ts';
import type { InferenceTimings } from '../inference/timings.ts';
import type { SchedulerStatistics } from '../scheduler/scheduler.ts';

/** Counters of one model version since it was loaded. They only grow. */
export interface ModelStatistics extends SchedulerStatistics {
  readonly successCount: number;
  readonly failureCounts: ReadonlyMap<Reason, number>;
  /** Sums over the successful requests. */
  readonly totals: Omit<InferenceTimings, 'batchRows'>;
}

/** Counts how the requests to one model version ended. */
export class RequestCounter {
  #successCount = 0;
  readonly #failureCounts = new Map<Reason, number>();
  #queueMicroseconds = 0;
  #computeInputMicroseconds = 0;
  #computeInferMicroseconds = 0;
  #computeOutputMicroseconds = 0;

  addSuccess(timings: InferenceTimings): void {
    this.#successCount += 1;
    this.#queueMicroseconds += timings.queueMicroseconds;
    this.#computeInputMicroseconds += timings.computeInputMicroseconds;
    this.#computeInferMicroseconds += timings.computeInferMicroseconds;
    this.#computeOutputMicroseconds += timings.computeOutputMicroseconds;
  }

  addFailure(reason: Reason): void {
    this.#failureCounts.set(reason, (this.#failureCounts.get(reason) ?? 0) + 1);
  }

  /** The counters of the requests and of the scheduler as they stand now. */
  snapshot(scheduler: SchedulerStatistics): ModelStatistics {
    return {
      ...scheduler,
      successCount: this.#successCount,
      failureCounts: new Map(this.#failureCounts),
      totals: {
        queueMicroseconds: this.#queueMicroseconds,
        computeInputMicroseconds: this.#computeInputMicroseconds,
        computeInferMicroseconds: this.#computeInferMicroseconds,
        computeOutputMicroseconds: this.#computeOutputMicroseconds,
      },
    };
  }
}
