import type { Clock } from '../base/clock.ts';

/** Settles as `promise` does, or rejects with the reason of `signal` when that is aborted first. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stopListening = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    stopListening = () => signal.removeEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    stopListening();
  }
}

/** Resolves after a while. @throws {unknown} the reason of `signal` when it is aborted before. */
export async function wait(clock: Clock, microseconds: number, signal: AbortSignal): Promise<void> {
  let cancel = (): void => {};
  const due = new Promise<void>((resolve) => {
    cancel = clock.schedule(microseconds, resolve);
  });
  try {
    await orAborted(due, signal);
  } finally {
    cancel();
  }
}
