import { describe, expect, it } from 'vitest';
import { systemClock } from './clock.ts';

describe('systemClock', () => {
  it.each([0, 1, 250, 1_000, 2_500])(
    'a timer of %i us fires once, never early',
    async (delayMicroseconds) => {
      const start = systemClock.nowMicroseconds();
      const fired = await new Promise<number>((resolve) => {
        systemClock.schedule(delayMicroseconds, () => resolve(systemClock.nowMicroseconds()));
      });
      expect(fired - start).toBeGreaterThanOrEqual(delayMicroseconds);
    },
  );

  it('never calls the action before it has returned the way to cancel it', () => {
    let fired = false;
    const cancel = systemClock.schedule(0, () => {
      fired = true;
    });
    expect(fired).toBe(false);
    cancel();
  });

  it.each([0, 250, 1_000])('a timer of %i us that was cancelled does not fire', async (delayMicroseconds) => {
    let fired = false;
    const cancel = systemClock.schedule(delayMicroseconds, () => {
      fired = true;
    });
    cancel();
    await new Promise<void>((resolve) => {
      systemClock.schedule(2_000, resolve);
    });
    expect(fired).toBe(false);
  });

  it('a wait longer than a timer can hold does not end at once', async () => {
    let fired = false;
    const cancel = systemClock.schedule(1e15, () => {
      fired = true;
    });
    await new Promise<void>((resolve) => {
      systemClock.schedule(2_000, resolve);
    });
    cancel();
    expect(fired).toBe(false);
  });
});
