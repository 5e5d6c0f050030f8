import { type ErrorCode, REASONS, type Reason } from './reasons.ts';

/** Facts beside the text of an error, for programs: never needed to understand the message. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/**
 * The one error of Millrace. `code` is the class a protocol maps to a status, `reason` the stable name a program
 * may match on, and the message tells a person what, where, expected and found, and what to do.
 * Names in the message stand in single quotes.
 */
export class MillraceError extends Error {
  override readonly name = 'MillraceError';
  readonly reason: Reason;
  readonly details: ErrorDetails;

  constructor(reason: Reason, message: string, options: { cause?: unknown; details?: ErrorDetails } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = reason;
    this.details = options.details ?? {};
  }

  /** Triton's status code for this reason, from the table in `reasons.ts`. */
  get code(): ErrorCode {
    return REASONS[this.reason].code;
  }

  /** True when the same call may succeed later without a change by the caller. */
  get transient(): boolean {
    return REASONS[this.reason].transient;
  }
}

/** The error itself when it is a `MillraceError`, else an `INTERNAL_ERROR` that carries it as its cause. */
export function toMillraceError(error: unknown, context: string): MillraceError {
  if (error instanceof MillraceError) {
    return error;
  }
  return new MillraceError('INTERNAL_ERROR', `${context}: ${errorText(error)}`, { cause: error });
}

/** The message of anything that was thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `code` of a Node system error (`ENOENT`, `ENOSPC` ...), or undefined for any other value. */
export function systemErrorCode(error: unknown): string | undefined {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    return error.code;
  }
  return undefined;
}
