import type { QueueEntry } from './queue-entry.ts';

/**
 * Waiting entries by deadline, the nearest first. An entry that left the queue stays until its turn comes, or until the
 * left ones outnumber the waiting ones, so that leaving costs nothing and memory stays bounded.
 */
export class DeadlineHeap {
  #entries: QueueEntry[] = [];

  add(entry: QueueEntry): void {
    this.#entries.push(entry);
    let index = this.#entries.length - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (this.#deadline(parent) <= this.#deadline(index)) {
        break;
      }
      this.#swap(index, parent);
      index = parent;
    }
  }

  /** The waiting entry with the nearest deadline. */
  peek(): QueueEntry | undefined {
    while (this.#entries[0] !== undefined && this.#entries[0].list === undefined) {
      this.#removeFirst();
    }
    return this.#entries[0];
  }

  /** Takes out the waiting entry with the nearest deadline, if that is not after `nowMicroseconds`. */
  takeExpired(nowMicroseconds: number): QueueEntry | undefined {
    const entry = this.peek();
    if (entry === undefined || entry.deadlineMicroseconds > nowMicroseconds) {
      return undefined;
    }
    this.#removeFirst();
    return entry;
  }

  /** Drops the entries that left the queue when they are more than half. @param waiting entries in the queue. */
  compact(waiting: number): void {
    if (this.#entries.length > 2 * waiting + 64) {
      const kept = this.#entries.filter(({ list }) => list !== undefined);
      this.#entries = [];
      for (const entry of kept) {
        this.add(entry);
      }
    }
  }

  #removeFirst(): void {
    const last = this.#entries.pop();
    if (last === undefined || this.#entries.length === 0) {
      return;
    }
    this.#entries[0] = last;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const right = left + 1;
      let smallest = index;
      if (left < this.#entries.length && this.#deadline(left) < this.#deadline(smallest)) {
        smallest = left;
      }
      if (right < this.#entries.length && this.#deadline(right) < this.#deadline(smallest)) {
        smallest = right;
      }
      if (smallest === index) {
        return;
      }
      this.#swap(index, smallest);
      index = smallest;
    }
  }

  #deadline(index: number): number {
    return this.#entries[index]?.deadlineMicroseconds ?? Number.POSITIVE_INFINITY;
  }

  #swap(a: number, b: number): void {
    const first = this.#entries[a];
    const second = this.#entries[b];
    if (first !== undefined && second !== undefined) {
      this.#entries[a] = second;
      this.#entries[b] = first;
    }
  }
}
