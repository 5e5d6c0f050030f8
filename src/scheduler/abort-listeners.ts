import type { QueueEntry } from './queue-entry.ts';

interface Listening {
  readonly entries: Set<QueueEntry>;
  readonly onAbort: () => void;
}

/**
 * Watches the signals of the callers. Requests that share a signal share one listener, which goes with the last of them,
 * so that a signal that outlives its requests holds nothing.
 */
export class AbortListeners {
  readonly #onAbort: (entry: QueueEntry) => void;
  readonly #bySignal = new WeakMap<AbortSignal, Listening>();

  constructor(onAbort: (entry: QueueEntry) => void) {
    this.#onAbort = onAbort;
  }

  add(entry: QueueEntry, signal: AbortSignal): void {
    const listening = this.#bySignal.get(signal) ?? this.#listen(signal);
    listening.entries.add(entry);
  }

  remove(entry: QueueEntry, signal: AbortSignal): void {
    const listening = this.#bySignal.get(signal);
    listening?.entries.delete(entry);
    if (listening?.entries.size === 0) {
      signal.removeEventListener('abort', listening.onAbort);
      this.#bySignal.delete(signal);
    }
  }

  #listen(signal: AbortSignal): Listening {
    const entries = new Set<QueueEntry>();
    const onAbort = (): void => {
      for (const entry of entries) {
        this.#onAbort(entry);
      }
    };
    signal.addEventListener('abort', onAbort);
    const listening = { entries, onAbort };
    this.#bySignal.set(signal, listening);
    return listening;
  }
}
