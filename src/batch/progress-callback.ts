import type { Clock } from '../base/clock.ts';
import { errorText } from '../base/errors.ts';
import type { JobProgress } from './job-events.ts';

/** What is posted, as JSON. */
interface ProgressPost {
  readonly job_id: string;
  readonly state: CallbackState;
  readonly done: number;
  readonly failed: number;
  readonly total: number;
  readonly rows_per_second: number;
}

/** `failed`: the job ended with an error; the same command may go on. */
export type CallbackState = 'running' | 'partial' | 'complete' | 'failed';

/** Tells a server how far a job is, and never holds the job up. */
export interface ProgressCallback {
  /** Returns at once. While a post is under way only the newest progress waits for its turn. */
  post(progress: JobProgress): void;
  /** Posts how the job ended, in place of anything that waits; settles when that is answered or given up. */
  finish(progress: JobProgress, state: CallbackState): Promise<void>;
}

export interface ProgressCallbackOptions {
  readonly url: string;
  readonly clock: Clock;
  /** Told once, when a post fails for the first time. */
  readonly onNotice: (message: string) => void;
}

/** Longest wait for an answer. */
const TIMEOUT_MICROSECONDS = 5_000_000;

export function createProgressCallback(options: ProgressCallbackOptions): ProgressCallback {
  return new HttpProgressCallback(options);
}

class HttpProgressCallback implements ProgressCallback {
  readonly #options: ProgressCallbackOptions;
  #waiting: ProgressPost | undefined;
  /** Ends the post that is under way. */
  #abort: (() => void) | undefined;
  #hasFailed = false;

  constructor(options: ProgressCallbackOptions) {
    this.#options = options;
  }

  post(progress: JobProgress): void {
    const post = describe(progress, 'running');
    if (this.#abort === undefined) {
      void this.#sendAll(post);
    } else {
      this.#waiting = post;
    }
  }

  async finish(progress: JobProgress, state: CallbackState): Promise<void> {
    this.#waiting = undefined;
    this.#abort?.();
    await this.#send(describe(progress, state));
  }

  async #sendAll(first: ProgressPost): Promise<void> {
    let next: ProgressPost | undefined = first;
    while (next !== undefined) {
      await this.#send(next);
      next = this.#waiting;
      this.#waiting = undefined;
    }
  }

  /** Never rejects: a server that does not listen is no reason for a job to fail. */
  async #send(post: ProgressPost): Promise<void> {
    const controller = new AbortController();
    const abort = (): void => controller.abort(new Error('no answer in time'));
    const cancelTimer = this.#options.clock.schedule(TIMEOUT_MICROSECONDS, abort);
    let wasSuperseded = false;
    const supersede = (): void => {
      wasSuperseded = true;
      controller.abort();
    };
    this.#abort = supersede;
    try {
      const response = await fetch(this.#options.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(post),
        signal: controller.signal,
      });
      // Unread, the body would keep the connection from being used again.
      await response.arrayBuffer();
      if (!response.ok) {
        this.#notice(`it answered ${response.status}`);
      }
    } catch (error) {
      if (!wasSuperseded) {
        this.#notice(describeFailure(error));
      }
    } finally {
      cancelTimer();
      if (this.#abort === supersede) {
        this.#abort = undefined;
      }
    }
  }

  #notice(problem: string): void {
    if (!this.#hasFailed) {
      this.#hasFailed = true;
      this.#options.onNotice(
        `progress cannot be posted to '${this.#options.url}': ${problem}. The job goes on, and so do the tries`,
      );
    }
  }
}

function describe(progress: JobProgress, state: CallbackState): ProgressPost {
  const { jobId, done, failed, total, rowsPerSecond } = progress;
  return { job_id: jobId, state, done, failed, total, rows_per_second: rowsPerSecond };
}

/** `fetch failed` alone says nothing: what happened is in the cause. */
function describeFailure(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? errorText(error.cause) : errorText(error);
}
