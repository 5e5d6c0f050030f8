import type { Clock } from '../base/clock.ts';
import { MillraceError, toMillraceError } from '../base/errors.ts';
import { EXIT_CODES } from './exit-codes.ts';

/** What Ctrl-C and SIGTERM do to a command. */
export interface StopSignals {
  /** Aborted by the first of them, with a `REQUEST_CANCELLED`. */
  readonly signal: AbortSignal;
  /** Exit code for what stopped the command; undefined while nothing has. */
  exitCode(): number | undefined;
}

export interface StopListener {
  readonly clock: Clock;
  /** Says that the command is ending. */
  onStop(): void;
  /** Tells of a fault of the program, which stops the command too. */
  onFault(error: MillraceError): void;
}

/** How long a command may take to end after a fault of the program, which may be what holds it up. */
const FAULT_MICROSECONDS = 30_000_000;

/**
 * Runs a command that can be stopped. The first signal aborts, so that the command can end what it has begun; the second
 * ends the process at once. That is by SIGKILL: an ordinary exit while ONNX Runtime computes in a thread makes the process
 * abort with a crash report. An exception that nobody caught stops the command likewise.
 * @returns the exit code: that of the command, or of the signal when the command gave up with `REQUEST_CANCELLED`.
 */
export async function runStoppable(
  listener: StopListener,
  run: (stop: StopSignals) => Promise<number>,
): Promise<number> {
  const controller = new AbortController();
  let exitCode: number | undefined;
  let hasFault = false;
  const stop = (code: number): void => {
    if (controller.signal.aborted) {
      process.kill(process.pid, 'SIGKILL');
    }
    exitCode = code;
    controller.abort(new MillraceError('REQUEST_CANCELLED', 'the command was interrupted'));
  };
  const onSignal = (name: NodeJS.Signals): void => {
    stop(name === 'SIGINT' ? EXIT_CODES.interrupted : EXIT_CODES.terminated);
    listener.onStop();
  };
  const onUncaught = (error: unknown): void => {
    hasFault = true;
    listener.onFault(toMillraceError(error, 'an error was not handled'));
    stop(EXIT_CODES.failed);
    listener.clock.schedule(FAULT_MICROSECONDS, () => process.kill(process.pid, 'SIGKILL'));
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal).on('uncaughtException', onUncaught);
  try {
    const code = await run({ signal: controller.signal, exitCode: () => exitCode });
    return hasFault ? EXIT_CODES.failed : code;
  } catch (error) {
    if (exitCode !== undefined && error instanceof MillraceError && error.reason === 'REQUEST_CANCELLED') {
      return exitCode;
    }
    throw error;
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal).off('uncaughtException', onUncaught);
  }
}
