import { SingleBar } from 'cli-progress';
import type { Clock } from '../../base/clock.ts';
import type { JobProgress } from '../../batch/job-events.ts';
import { eventToJson } from './event-json.ts';
import { eventText, progressText } from './event-text.ts';
import { formatCount, formatSeconds } from './format.ts';
import type { JobReporter, ReporterKind } from './job-reporter.ts';

/** Time between two lines of progress where there is no terminal. */
const LINE_INTERVAL_MICROSECONDS = 5_000_000;

/** Where text goes. */
export interface Output {
  write(text: string): void;
}

export interface ReporterOutputs {
  readonly stdout: Output;
  readonly stderr: NodeJS.WritableStream;
  readonly clock: Clock;
}

export function createReporter(kind: ReporterKind, { stdout, stderr, clock }: ReporterOutputs): JobReporter {
  switch (kind) {
    case 'quiet':
      return { onEvent: () => {}, note: () => {}, close: () => {} };
    case 'json':
      return createJsonReporter(stdout);
    case 'bar':
      return createBarReporter(stderr);
    case 'lines':
      return createLineReporter(stderr, clock);
  }
}

function createJsonReporter(stdout: Output): JobReporter {
  return {
    onEvent(event) {
      const object = eventToJson(event);
      if (object !== undefined) {
        stdout.write(`${JSON.stringify(object)}\n`);
      }
    },
    note: (message) => stdout.write(`${JSON.stringify({ event: 'notice', message })}\n`),
    close: () => {},
  };
}

function createLineReporter(stderr: Output, clock: Clock): JobReporter {
  let told = clock.nowMicroseconds();
  return {
    onEvent(event) {
      if (event.kind === 'progress') {
        const now = clock.nowMicroseconds();
        if (now - told >= LINE_INTERVAL_MICROSECONDS) {
          told = now;
          stderr.write(`${progressText(event.progress)}\n`);
        }
        return;
      }
      const text = eventText(event);
      if (text !== undefined) {
        stderr.write(`${text}\n`);
      }
    },
    note: (message) => stderr.write(`${message}\n`),
    close: () => {},
  };
}

function createBarReporter(stderr: NodeJS.WritableStream): JobReporter {
  const bar = new SingleBar({
    stream: stderr,
    format: '{bar} {percentage} %  {through} of {all} rows  {rate} rows/s{left}{failures}',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
    hideCursor: true,
    clearOnComplete: false,
    linewrap: false,
    gracefulExit: false,
  });
  let isDrawn = false;
  const draw = (progress: JobProgress): void => {
    const payload = {
      through: formatCount(progress.done + progress.failed),
      all: formatCount(progress.total),
      rate: formatCount(progress.rowsPerSecond),
      left: progress.etaSeconds === undefined ? '' : `  ${formatSeconds(progress.etaSeconds)} left`,
      failures: progress.failed > 0 ? `  ${formatCount(progress.failed)} failed` : '',
    };
    if (isDrawn) {
      bar.update(progress.done + progress.failed, payload);
    } else {
      isDrawn = true;
      bar.start(progress.total, progress.done + progress.failed, payload);
    }
  };
  const close = (): void => {
    if (isDrawn) {
      isDrawn = false;
      bar.stop();
    }
  };
  const note = (message: string): void => {
    close();
    stderr.write(`${message}\n`);
  };
  return {
    onEvent(event) {
      if (event.kind === 'progress') {
        draw(event.progress);
        return;
      }
      const text = eventText(event);
      if (text !== undefined) {
        note(text);
      }
    },
    note,
    close,
  };
}
