import type { JobListener, JobProgress } from './job-events.ts';

/** Time between two tellings of the progress. */
const INTERVAL_MS = 100;

/** Rows before a rate means anything. */
const MIN_ROWS_FOR_RATE = 1;

/** Counts the rows of a run and tells how it goes, at most ten times a second. */
export class ProgressTracker {
  readonly #jobId: string;
  readonly #total: number;
  readonly #listener: JobListener;
  readonly #startMs = performance.now();
  readonly #doneBefore: number;
  readonly #failedBefore: number;
  #done = 0;
  #failed = 0;
  #toldMs = Number.NEGATIVE_INFINITY;

  /** @param before rows that earlier runs did. */
  constructor(
    jobId: string,
    total: number,
    before: { readonly done: number; readonly failed: number },
    listener: JobListener,
  ) {
    this.#jobId = jobId;
    this.#total = total;
    this.#doneBefore = before.done;
    this.#failedBefore = before.failed;
    this.#listener = listener;
  }

  add(done: number, failed: number): void {
    this.#done += done;
    this.#failed += failed;
    const now = performance.now();
    if (now - this.#toldMs >= INTERVAL_MS) {
      this.#toldMs = now;
      this.tell();
    }
  }

  tell(): void {
    this.#listener({ kind: 'progress', progress: this.snapshot() });
  }

  get elapsedSeconds(): number {
    return (performance.now() - this.#startMs) / 1000;
  }

  snapshot(): JobProgress {
    const done = this.#doneBefore + this.#done;
    const failed = this.#failedBefore + this.#failed;
    const ran = this.#done + this.#failed;
    const rowsPerSecond = ran / Math.max(this.elapsedSeconds, 1e-9);
    const left = Math.max(0, this.#total - done - failed);
    return {
      jobId: this.#jobId,
      done,
      failed,
      total: this.#total,
      rowsPerSecond,
      etaSeconds: ran < MIN_ROWS_FOR_RATE ? undefined : left / rowsPerSecond,
    };
  }
}
