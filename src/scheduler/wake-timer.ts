import type { Clock } from '../base/clock.ts';

/**
 * One timer for the nearest of many times. It may fire early, never late: a later time leaves the timer that is set, and
 * whoever is woken says again how long to wait.
 */
export class WakeTimer {
  readonly #clock: Clock;
  readonly #wake: () => void;
  #dueMicroseconds = Number.POSITIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  /** @param dueMicroseconds infinity: there is nothing to wake up for. */
  wakeAt(dueMicroseconds: number, nowMicroseconds: number): void {
    if (dueMicroseconds >= this.#dueMicroseconds) {
      return;
    }
    this.#cancel?.();
    this.#dueMicroseconds = dueMicroseconds;
    this.#cancel = this.#clock.schedule(dueMicroseconds - nowMicroseconds, () => {
      this.#dueMicroseconds = Number.POSITIVE_INFINITY;
      this.#cancel = undefined;
      this.#wake();
    });
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#dueMicroseconds = Number.POSITIVE_INFINITY;
  }
}
