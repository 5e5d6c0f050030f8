import { EXIT_CODES } from './exit-codes.ts';

/** What Ctrl-C and SIGTERM do to a command. */
export interface StopSignals {
  readonly signal: AbortSignal;
  /** Exit code of the signal that came; undefined while none has. */
  exitCode(): number | undefined;
  /** Back to what the system does by itself. */
  dispose(): void;
}

/**
 * The first signal aborts, so that the command can end what it has begun; the second ends the process at once. That is by
 * SIGKILL: an ordinary exit while ONNX Runtime computes in a thread makes the process abort with a crash report.
 * @param onFirst says that the command is ending.
 */
export function listenForStop(onFirst: () => void): StopSignals {
  const controller = new AbortController();
  let exitCode: number | undefined;
  const onSignal = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted) {
      process.kill(process.pid, 'SIGKILL');
    }
    exitCode = name === 'SIGINT' ? EXIT_CODES.interrupted : EXIT_CODES.terminated;
    onFirst();
    controller.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    dispose() {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
