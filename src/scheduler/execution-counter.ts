import type { SchedulerStatistics } from './scheduler.ts';

/** Counts what a scheduler ran. */
export class ExecutionCounter {
  #executionCount = 0;
  #inferenceCount = 0;
  readonly #executionsByRows = new Map<number, number>();

  addExecution(rows: number): void {
    this.#executionCount += 1;
    this.#executionsByRows.set(rows, (this.#executionsByRows.get(rows) ?? 0) + 1);
  }

  /** Rows of a request that succeeded. */
  addInferences(rows: number): void {
    this.#inferenceCount += rows;
  }

  snapshot(pendingRequests: number): SchedulerStatistics {
    return {
      executionCount: this.#executionCount,
      inferenceCount: this.#inferenceCount,
      pendingRequests,
      executionsByRows: new Map(this.#executionsByRows),
    };
  }
}
