import type { Clock } from '../clock.ts';

interface Timer {
  readonly dueMicroseconds: number;
  readonly action: () => void;
}

/** A clock that stands still until a test moves it. Timers fire in the order of their due time. */
export class ManualClock implements Clock {
  #nowMicroseconds = 0;
  readonly #timers = new Set<Timer>();

  nowMicroseconds(): number {
    return this.#nowMicroseconds;
  }

  schedule(delayMicroseconds: number, action: () => void): () => void {
    const timer = { dueMicroseconds: this.#nowMicroseconds + Math.max(0, delayMicroseconds), action };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Number of timers that have not fired yet. */
  get pendingTimers(): number {
    return this.#timers.size;
  }

  /** Moves time forward and fires what falls due on the way, letting promises settle after each timer. */
  async advance(microseconds: number): Promise<void> {
    const end = this.#nowMicroseconds + microseconds;
    for (;;) {
      const due = [...this.#timers]
        .filter((timer) => timer.dueMicroseconds <= end)
        .sort((a, b) => a.dueMicroseconds - b.dueMicroseconds)[0];
      if (due === undefined) {
        break;
      }
      this.#timers.delete(due);
      this.#nowMicroseconds = due.dueMicroseconds;
      due.action();
      await settle();
    }
    this.#nowMicroseconds = end;
    await settle();
  }
}

/** Lets every promise that can settle now do so. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
