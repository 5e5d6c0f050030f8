import type { Clock } from '../../src/base/clock.ts';
import { systemClock } from '../../src/base/clock.ts';
import { runJob } from '../../src/batch/job.ts';
import type { JobListener, JobSummary } from '../../src/batch/job-events.ts';
import type { JobOptions } from '../../src/batch/job-options.ts';
import { createFakeClient, type FakeClientOptions } from '../../src/batch/testing/fake-client.ts';

/** How a job is run in a test, where it is not the usual way. */
export interface FakeJobRun extends FakeClientOptions {
  readonly listener?: JobListener;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

/** Runs a job on a fake model. */
export function runFakeJob(options: JobOptions, run: FakeJobRun = {}): Promise<JobSummary> {
  const { listener = () => {}, signal = new AbortController().signal, clock = systemClock } = run;
  return runJob(options, createFakeClient(run), listener, signal, clock);
}
