import type { MillraceError } from '../base/errors.ts';
import type { Reason } from '../base/reasons.ts';

/** Exit codes of every command. Documented in docs/guides/batch-jobs.md. */
export const EXIT_CODES = {
  /** All good. */
  ok: 0,
  /** The job failed or was stopped early, or what was verified is not right. */
  failed: 1,
  /** Nothing was done: what was asked for cannot be. */
  usage: 2,
  /** Done, and some rows gave no result. */
  rowErrors: 3,
  /** 128 and the number of the signal, as in a shell. */
  interrupted: 130,
  terminated: 143,
} as const;

/** Reasons that the command line, not the job, is to be blamed for. */
const USAGE_REASONS: ReadonlySet<Reason> = new Set<Reason>([
  'USAGE',
  'INPUT_UNREADABLE',
  'MAPPING_INVALID',
  'ID_DUPLICATE',
  'JOB_MISMATCH',
  'JOB_NOT_FOUND',
  'MODEL_NOT_FOUND',
  'MODEL_VERSION_NOT_FOUND',
  'OUTPUT_UNKNOWN',
  'REPOSITORY_INVALID',
]);

export function exitCodeOf(error: MillraceError): number {
  return USAGE_REASONS.has(error.reason) ? EXIT_CODES.usage : EXIT_CODES.failed;
}
