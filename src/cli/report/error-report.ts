import { errorText, type MillraceError } from '../../base/errors.ts';

/** Causes that are followed, at most: a cause may be its own. */
const MAX_CAUSES = 8;

/**
 * An error for a person. What caused it, with where in the program that was, is for those who look into the program, and
 * for faults of the program itself.
 */
export function errorReport(error: MillraceError, isVerbose: boolean): string {
  const lines = [`error ${error.reason}: ${error.message}`];
  if (isVerbose || error.reason === 'INTERNAL_ERROR') {
    let cause: unknown = error.cause;
    for (let depth = 0; depth < MAX_CAUSES && cause !== undefined; depth += 1) {
      lines.push(`caused by: ${cause instanceof Error ? (cause.stack ?? cause.message) : errorText(cause)}`);
      cause = cause instanceof Error ? cause.cause : undefined;
    }
  }
  return `${lines.join('\n')}\n`;
}

/** An error for programs. */
export function errorToJson({ reason, code, message }: MillraceError): object {
  return { event: 'error', reason, code, message };
}
