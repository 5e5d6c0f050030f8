import type { DynamicBatching } from '../model-config/model-config.ts';
import { DeadlineHeap } from './deadline-heap.ts';
import { EntryList, type QueueEntry } from './queue-entry.ts';
import { policyOfLevel } from './queue-policy.ts';

interface Level {
  readonly onTime: EntryList;
  /** Entries past their deadline under the action DELAY: they run when nothing on time is left in their level. */
  readonly late: EntryList;
}

/**
 * The waiting requests of a model: strict priorities, order of arrival within a level.
 */
export class RequestQueue {
  readonly #batching: DynamicBatching | undefined;
  /** By priority, rising; a level is there once it was used. */
  #levels: (readonly [number, Level])[] = [];
  readonly #deadlines = new DeadlineHeap();
  #size = 0;
  #rows = 0;

  constructor(batching: DynamicBatching | undefined) {
    this.#batching = batching;
  }

  /** Requests waiting. */
  get size(): number {
    return this.#size;
  }

  /** Rows waiting. */
  get rows(): number {
    return this.#rows;
  }

  /** True when the level of `priority` can take one more request. */
  hasRoom(priority: number): boolean {
    const { maxQueueSize } = policyOfLevel(this.#batching, priority);
    if (maxQueueSize === 0) {
      return true;
    }
    const { onTime, late } = this.#level(priority);
    return onTime.size + late.size < maxQueueSize;
  }

  add(entry: QueueEntry): void {
    this.#level(entry.request.priority).onTime.append(entry);
    this.#size += 1;
    this.#rows += entry.request.rows;
    if (entry.deadlineMicroseconds !== Number.POSITIVE_INFINITY) {
      this.#deadlines.compact(this.#size);
      this.#deadlines.add(entry);
    }
  }

  /** Takes a waiting entry out. */
  remove(entry: QueueEntry): void {
    entry.list?.remove(entry);
    this.#size -= 1;
    this.#rows -= entry.request.rows;
  }

  /**
   * Takes out what is late and to be rejected, and puts what is late and to be delayed behind the others of its level.
   * @returns the entries to reject.
   */
  expire(nowMicroseconds: number): readonly QueueEntry[] {
    const rejected: QueueEntry[] = [];
    for (;;) {
      const entry = this.#deadlines.takeExpired(nowMicroseconds);
      if (entry === undefined) {
        return rejected;
      }
      const { priority } = entry.request;
      if (policyOfLevel(this.#batching, priority).timeoutAction === 'DELAY') {
        entry.list?.remove(entry);
        this.#level(priority).late.append(entry);
      } else {
        this.remove(entry);
        rejected.push(entry);
      }
    }
  }

  /** The nearest deadline; undefined when nothing that waits has one. */
  nextDeadline(): number | undefined {
    return this.#deadlines.peek()?.deadlineMicroseconds;
  }

  /** The waiting entries in the order in which they should run. */
  *[Symbol.iterator](): Iterator<QueueEntry> {
    for (const [, { onTime, late }] of this.#levels) {
      yield* onTime;
      yield* late;
    }
  }

  #level(priority: number): Level {
    const known = this.#levels.find(([level]) => level === priority);
    if (known !== undefined) {
      return known[1];
    }
    const level = { onTime: new EntryList(), late: new EntryList() };
    this.#levels = [...this.#levels, [priority, level] as const].sort(([a], [b]) => a - b);
    return level;
  }
}
