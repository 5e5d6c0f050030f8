import { describe, expect, it } from 'vitest';
import { Deadlines } from './deadlines.ts';
import { EntryList } from './queue-entry.ts';
import { fillQueue, quietEntry } from './testing/fill-queue.ts';

describe('RequestQueue', () => {
  it('counts requests, rows and groups, and forgets all of what left', () => {
    const { queue, entries } = fillQueue([{ rows: 2 }, { rows: 3, width: 2 }, { rows: 1 }]);
    expect([queue.size, queue.rows]).toEqual([3, 6]);
    expect([...queue.groups].map(({ size, rows }) => [size, rows])).toEqual([
      [2, 3],
      [1, 3],
    ]);
    for (const entry of entries) {
      queue.remove(entry);
    }
    expect([queue.size, queue.rows, [...queue.groups]]).toEqual([0, 0, []]);
  });

  it('finds the group of a request again after others came between', () => {
    const { queue } = fillQueue([{ width: 1 }, { width: 2 }, { width: 1 }, { width: 2 }]);
    expect([...queue.groups].map(({ size }) => size)).toEqual([2, 2]);
  });

  it('gives the members of a group by level, in order of arrival, on any place in the queue', () => {
    const { queue, entries } = fillQueue([
      { priority: 2 },
      { priority: 1, width: 2 },
      { priority: 1 },
      { priority: 2, width: 2 },
      { priority: 2 },
    ]);
    const [first] = queue.groups;
    expect(first && [...queue.membersOf(first)].map((entry) => entries.indexOf(entry))).toEqual([2, 0, 4]);
  });

  it('a million priorities cost nothing once their requests are gone', () => {
    const { queue } = fillQueue([{ priority: 5 }]);
    for (let priority = 1; priority < 20_000; priority += 1) {
      const entry = quietEntry({ priority: 20_000 - priority });
      queue.add(entry, false);
      queue.remove(entry);
    }
    expect([...queue.heads()].map(({ request }) => request.priority)).toEqual([5]);
  });

  it('the levels stand in order, whatever the order of their first requests', () => {
    const { queue } = fillQueue([3, 1, 4, 2].map((priority) => ({ priority })));
    expect([...queue.heads()].map(({ request }) => request.priority)).toEqual([1, 2, 3, 4]);
  });

  it('clear takes out everything once', () => {
    const { queue, entries } = fillQueue([{ priority: 2 }, { priority: 1 }, { priority: 2 }]);
    expect(queue.clear()).toEqual([entries[1], entries[0], entries[2]]);
    expect([queue.size, queue.clear()]).toEqual([0, []]);
  });
});

describe('Deadlines', () => {
  it('gives out what is due, the nearest first, without what left', () => {
    const list = new EntryList();
    const deadlines = new Deadlines();
    const entries = [30, 10, 20, 40].map((deadlineMicroseconds) => quietEntry({ deadlineMicroseconds }));
    for (const entry of entries) {
      list.append(entry);
      deadlines.add(entry, list.size);
    }
    for (const gone of entries.slice(2, 3)) {
      list.remove(gone);
    }
    expect(deadlines.next()).toBe(10);
    expect(deadlines.takeExpired(30)).toBe(entries[1]);
    expect(deadlines.takeExpired(30)).toBe(entries[0]);
    expect(deadlines.takeExpired(30)).toBeUndefined();
    expect(deadlines.next()).toBe(40);
  });

  it('holds no more than a few of the entries that left', () => {
    const list = new EntryList();
    const deadlines = new Deadlines();
    for (let count = 0; count < 10_000; count += 1) {
      const entry = quietEntry({ deadlineMicroseconds: 1_000_000 + count });
      list.append(entry);
      deadlines.add(entry, list.size);
      list.remove(entry);
    }
    expect(deadlines.size).toBeLessThan(100);
  });
});
