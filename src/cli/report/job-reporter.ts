import type { JobEvent } from '../../batch/job-events.ts';

/** Shows a job on its way. What it shows goes to stderr, or as JSON to stdout; the summary is the command's own. */
export interface JobReporter {
  onEvent(event: JobEvent): void;
  /** A line for a person, in between. */
  note(message: string): void;
  /** Nothing more is to come. */
  close(): void;
}

export interface ReporterChoice {
  readonly quiet: boolean;
  readonly json: boolean;
  readonly isTerminal: boolean;
}

export type ReporterKind = 'quiet' | 'json' | 'bar' | 'lines';

/** JSON where it is asked for, nothing where that is, a bar on a terminal, else lines. */
export function chooseReporter({ quiet, json, isTerminal }: ReporterChoice): ReporterKind {
  if (json) {
    return 'json';
  }
  if (quiet) {
    return 'quiet';
  }
  return isTerminal ? 'bar' : 'lines';
}
