import { describe, expect, it } from 'vitest';
import { type BatchPolicy, decideBatch, type FreeInstances } from './batch-decision.ts';
import { fillQueue } from './testing/fill-queue.ts';
import { fakeConfig } from './testing/open-scheduler.ts';

const ONE_IDLE = { idle: 1, ahead: false };
const AHEAD = { idle: 0, ahead: true };
const NO_DELAY: BatchPolicy = { maxBatchSize: 8, preferredBatchSizes: [], maxQueueDelayMicroseconds: 0 };
const DELAY: BatchPolicy = { ...NO_DELAY, maxQueueDelayMicroseconds: 1_000 };
const PREFERRED: BatchPolicy = { ...DELAY, preferredBatchSizes: [3, 4] };

/** Rows of the batch that is decided on for waiting requests of these rows, or until when to wait. */
function decide(rows: readonly number[], policy: BatchPolicy, free: FreeInstances, now = 0): number | string {
  const { queue } = fillQueue(rows.map((count) => ({ rows: count })));
  const decision = decideBatch(queue, policy, free, now);
  return decision.kind === 'run'
    ? decision.entries.reduce((sum, { request }) => sum + request.rows, 0)
    : `wait until ${decision.untilMicroseconds}`;
}

const ones = (count: number): readonly number[] => new Array<number>(count).fill(1);

describe('decideBatch', () => {
  it.each([
    ['nothing waits', [], NO_DELAY, ONE_IDLE, 0, 'wait until Infinity'],
    ['nothing is free', ones(9), NO_DELAY, { idle: 0, ahead: false }, 0, 'wait until Infinity'],
    ['no delay', ones(3), NO_DELAY, ONE_IDLE, 0, 3],
    ['no delay, more than fits', ones(9), NO_DELAY, ONE_IDLE, 0, 8],
    ['the next one does not fit', [5, 4, 1], NO_DELAY, ONE_IDLE, 0, 5],
    ['two idle', ones(6), NO_DELAY, { idle: 2, ahead: false }, 0, 3],
    ['two idle, an odd number', ones(7), NO_DELAY, { idle: 2, ahead: false }, 0, 4],
    ['two idle, more than both take', ones(40), NO_DELAY, { idle: 2, ahead: false }, 0, 8],
    ['two idle, the first request larger than a share', [6, 1], NO_DELAY, { idle: 2, ahead: false }, 0, 6],
    [
      'two idle, a size preferred',
      ones(6),
      { ...PREFERRED, maxQueueDelayMicroseconds: 0 },
      { idle: 2, ahead: false },
      0,
      4,
    ],
    ['ahead of time, not full', ones(7), NO_DELAY, AHEAD, 0, 'wait until Infinity'],
    ['ahead of time, full', ones(9), NO_DELAY, AHEAD, 0, 8],
    ['ahead of time, of a preferred size', ones(4), PREFERRED, AHEAD, 0, 4],
    ['before the delay', ones(7), DELAY, ONE_IDLE, 999, 'wait until 1000'],
    ['at the delay', ones(7), DELAY, ONE_IDLE, 1_000, 7],
    ['two idle at the delay', ones(7), DELAY, { idle: 2, ahead: false }, 1_000, 7],
    ['full before the delay', ones(8), DELAY, ONE_IDLE, 0, 8],
    ['can grow no further before the delay', [5, 4], DELAY, ONE_IDLE, 0, 5],
    ['D02: preferred before the delay', ones(9), PREFERRED, ONE_IDLE, 0, 4],
    ['D02: the smaller preferred size', ones(3), PREFERRED, ONE_IDLE, 0, 3],
    ['D02: no preferred size before the delay', ones(2), PREFERRED, ONE_IDLE, 0, 'wait until 1000'],
    ['D02: rows that pass over every preferred size', [2, 3], PREFERRED, ONE_IDLE, 0, 'wait until 1000'],
    ['D02: any size after the delay', ones(5), PREFERRED, ONE_IDLE, 1_000, 5],
  ])('%s', (_title, rows, policy, free, now, expected) => {
    expect(decide(rows, policy, free, now)).toBe(expected);
  });

  it('runs a group that has grown enough while an older one waits out its delay', () => {
    const { queue, entries } = fillQueue([{ width: 5 }, { rows: 4 }, { rows: 4 }]);
    expect(decideBatch(queue, DELAY, ONE_IDLE, 500)).toEqual({ kind: 'run', entries: entries.slice(1) });
  });

  it('D01: runs the one whose delay is over before one that has grown enough', () => {
    const { queue, entries } = fillQueue([{ width: 5 }, { rows: 8, atMicroseconds: 900 }]);
    expect(decideBatch(queue, DELAY, ONE_IDLE, 1_000)).toEqual({ kind: 'run', entries: entries.slice(0, 1) });
  });

  it('a late request does not wait out the delay', () => {
    const { dynamicBatching } = fakeConfig(
      'max_batch_size: 8 dynamic_batching { default_queue_policy { timeout_action: DELAY } }',
    );
    const { queue, entries } = fillQueue([{ deadlineMicroseconds: 100 }], dynamicBatching);
    queue.expire(100);
    expect(decideBatch(queue, DELAY, ONE_IDLE, 100)).toEqual({ kind: 'run', entries });
  });

  it('looks at the oldest of every level for the delay', () => {
    const { queue, entries } = fillQueue([
      { priority: 2, width: 5 },
      { priority: 1, atMicroseconds: 600 },
    ]);
    expect(decideBatch(queue, DELAY, ONE_IDLE, 900)).toEqual({ kind: 'wait', untilMicroseconds: 1_000 });
    expect(decideBatch(queue, DELAY, ONE_IDLE, 1_000)).toEqual({ kind: 'run', entries: entries.slice(0, 1) });
  });

  it('runs the request whose delay is over even if it stands behind very many of other groups', () => {
    const others = Array.from({ length: 5_000 }, () => ({
      priority: 1,
      width: 2,
      rows: 1,
      atMicroseconds: 500,
    }));
    const { queue, entries } = fillQueue([
      ...others.map((one, index) => ({ ...one, width: 2 + index })),
      { priority: 2 },
    ]);
    expect(decideBatch(queue, DELAY, ONE_IDLE, 1_000)).toEqual({ kind: 'run', entries: entries.slice(-1) });
  });
});
