import type { Clock } from '../base/clock.ts';

/** `setTimeout` cannot wait longer than 24 days; one hour is long enough to wake up for nothing. */
const LONGEST_WAIT_MICROSECONDS = 3_600_000_000;

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

  /** @param microseconds of the clock; infinity: there is nothing to wake up for. */
  wakeAt(microseconds: number, nowMicroseconds: number): void {
    const dueMicroseconds = Math.min(microseconds, nowMicroseconds + LONGEST_WAIT_MICROSECONDS);
    if (microseconds === Number.POSITIVE_INFINITY || dueMicroseconds >= this.#dueMicroseconds) {
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
