import type { Clock } from '../base/clock.ts';
import type { JobListener, JobProgress } from './job-events.ts';
import { type CallbackState, createProgressCallback } from './progress-callback.ts';

/** A listener in front of the job's own, which also posts the progress to where the job's owner wants it. */
export interface ProgressReporter {
  readonly listener: JobListener;
  /** Posts how the job ended. A job that never had any progress has nothing to post. */
  finish(state: CallbackState): Promise<void>;
}

/** @param url undefined: nothing is posted. */
export function createProgressReporter(
  url: string | undefined,
  listener: JobListener,
  clock: Clock,
): ProgressReporter {
  if (url === undefined) {
    return { listener, finish: async () => {} };
  }
  const onNotice = (message: string): void => listener({ kind: 'notice', message });
  const callback = createProgressCallback({ url, clock, onNotice });
  let last: JobProgress | undefined;
  return {
    listener: (event) => {
      if (event.kind === 'progress') {
        last = event.progress;
        callback.post(event.progress);
      }
      listener(event);
    },
    finish: async (state) => {
      if (last !== undefined) {
        await callback.finish(last, state);
      }
    },
  };
}
