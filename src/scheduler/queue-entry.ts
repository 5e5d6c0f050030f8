import type { ValidatedRequest } from '../inference/request.ts';
import type { ScheduledResult } from './scheduler.ts';

/**
 * A request that waits, with the two ends of its caller's promise. It is in the queue (`list` is set), or in a batch, or
 * settled; whoever settles it does so once.
 */
export interface QueueEntry {
  readonly request: ValidatedRequest;
  readonly enqueuedMicroseconds: number;
  /** When it is late, by its queue policy; infinity for never. */
  readonly deadlineMicroseconds: number;
  readonly resolve: (result: ScheduledResult) => void;
  readonly reject: (error: Error) => void;
  /** Its promise has its answer; what still runs for it goes nowhere. */
  settled: boolean;
  /** Takes the listener off the caller's signal; undefined without a signal. */
  stopListening: (() => void) | undefined;
  /** Place in the order of responses, where the model keeps one. */
  readonly ticket: number | undefined;
  list: EntryList | undefined;
  previous: QueueEntry | undefined;
  next: QueueEntry | undefined;
}

/** Entries in the order of arrival; an entry leaves from any place at once. */
export class EntryList implements Iterable<QueueEntry> {
  #first: QueueEntry | undefined;
  #last: QueueEntry | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  append(entry: QueueEntry): void {
    entry.list = this;
    entry.previous = this.#last;
    entry.next = undefined;
    if (this.#last === undefined) {
      this.#first = entry;
    } else {
      this.#last.next = entry;
    }
    this.#last = entry;
    this.#size += 1;
  }

  remove(entry: QueueEntry): void {
    if (entry.previous === undefined) {
      this.#first = entry.next;
    } else {
      entry.previous.next = entry.next;
    }
    if (entry.next === undefined) {
      this.#last = entry.previous;
    } else {
      entry.next.previous = entry.previous;
    }
    entry.list = undefined;
    entry.previous = undefined;
    entry.next = undefined;
    this.#size -= 1;
  }

  *[Symbol.iterator](): Iterator<QueueEntry> {
    for (let entry = this.#first; entry !== undefined; entry = entry.next) {
      yield entry;
    }
  }
}
