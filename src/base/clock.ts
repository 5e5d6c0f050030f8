/**
 * Monotonic time and timers, injected wherever a decision depends on time, so that tests move time by hand.
 */
export interface Clock {
  /** Microseconds since an arbitrary start; never goes back. */
  nowMicroseconds(): number;
  /** Calls `action` once after `delayMicroseconds`. The returned function cancels it. */
  schedule(delayMicroseconds: number, action: () => void): () => void;
}

/** The process's own monotonic clock. A timer does not keep the process alive. */
export const systemClock: Clock = {
  nowMicroseconds: () => performance.now() * 1000,
  schedule(delayMicroseconds, action) {
    const timer = setTimeout(action, Math.max(0, Math.ceil(delayMicroseconds / 1000)));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
