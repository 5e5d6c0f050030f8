/**
 * Monotonic time and timers, injected wherever a decision depends on time, so that tests move time by hand.
 */
export interface Clock {
  /** Microseconds since an arbitrary start; never goes back. */
  nowMicroseconds(): number;
  /** Calls `action` once after `delayMicroseconds`. The returned function cancels it. */
  schedule(delayMicroseconds: number, action: () => void): () => void;
}

/** Node's timers count in milliseconds; a wait shorter than one turns with the event loop instead. */
const SHORTEST_TIMER_MICROSECONDS = 1_000;

/** Node's timers hold 31 bits of milliseconds; a longer wait takes more than one. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The process's own monotonic clock. A timer never fires early, and does not keep the process alive. */
export const systemClock: Clock = {
  nowMicroseconds,
  schedule(delayMicroseconds, action) {
    const dueMicroseconds = nowMicroseconds() + delayMicroseconds;
    let cancel: () => void;
    const sleep = (): void => {
      const leftMicroseconds = dueMicroseconds - nowMicroseconds();
      if (leftMicroseconds < SHORTEST_TIMER_MICROSECONDS) {
        const immediate = setImmediate(wake);
        cancel = () => clearImmediate(immediate);
      } else {
        const timer = setTimeout(wake, Math.min(Math.ceil(leftMicroseconds / 1000), LONGEST_TIMER_MS));
        timer.unref();
        cancel = () => clearTimeout(timer);
      }
    };
    const wake = (): void => {
      if (nowMicroseconds() >= dueMicroseconds) {
        action();
      } else {
        sleep();
      }
    };
    sleep();
    return () => cancel();
  },
};

function nowMicroseconds(): number {
  return performance.now() * 1000;
}
