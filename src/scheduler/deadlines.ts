import TinyQueue from 'tinyqueue';
import type { QueueEntry } from './queue-entry.ts';

/** Left entries that may pile up before they are cleared away. */
const MIN_LEFT = 64;

/**
 * Waiting entries by deadline, the nearest first. An entry that leaves the queue stays here until its turn comes, or
 * until such entries are the majority: leaving costs nothing, and memory stays bounded.
 */
export class Deadlines {
  #entries = new TinyQueue<QueueEntry>([], byDeadline);

  /** Entries held, those that left and are not cleared away yet included. */
  get size(): number {
    return this.#entries.length;
  }

  /** @param waiting entries that wait, this one included. */
  add(entry: QueueEntry, waiting: number): void {
    if (this.#entries.length > 2 * waiting + MIN_LEFT) {
      this.#entries = new TinyQueue(this.#entries.data.filter(isWaiting), byDeadline);
    }
    this.#entries.push(entry);
  }

  /** The nearest deadline of a waiting entry; infinity for none. */
  next(): number {
    return this.#peek()?.deadlineMicroseconds ?? Number.POSITIVE_INFINITY;
  }

  /** Takes out the waiting entry with the nearest deadline if that has passed. */
  takeExpired(nowMicroseconds: number): QueueEntry | undefined {
    const entry = this.#peek();
    if (entry === undefined || entry.deadlineMicroseconds > nowMicroseconds) {
      return undefined;
    }
    return this.#entries.pop();
  }

  #peek(): QueueEntry | undefined {
    for (;;) {
      const entry = this.#entries.peek();
      if (entry === undefined || isWaiting(entry)) {
        return entry;
      }
      this.#entries.pop();
    }
  }
}

function isWaiting({ list }: QueueEntry): boolean {
  return list !== undefined;
}

function byDeadline(a: QueueEntry, b: QueueEntry): number {
  return a.deadlineMicroseconds - b.deadlineMicroseconds;
}
