import type { ValidatedRequest } from '../inference/request.ts';
import type { RequestGroup } from './request-group.ts';
import type { ScheduledResult } from './scheduler.ts';

/**
 * A request between its arrival and its answer. It waits (`list` is set), then runs in a batch, then is settled; it may
 * also be settled while it waits or runs. Whoever settles it does so once.
 */
export interface QueueEntry {
  readonly request: ValidatedRequest;
  readonly enqueuedMicroseconds: number;
  /** When it is late, by its queue policy; infinity for never. */
  readonly deadlineMicroseconds: number;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (result: ScheduledResult) => void;
  readonly reject: (error: Error) => void;
  /** Its caller has an answer; what still runs for it goes nowhere. */
  settled: boolean;
  /** It waits behind the others of its level, since its deadline has passed. */
  late: boolean;
  /** Waiting requests that can share a batch with it; undefined: it runs alone. Set by the queue. */
  group: RequestGroup | undefined;
  /** Where it waits, and its neighbours there; `EntryList` keeps the three. */
  list: EntryList | undefined;
  previous: QueueEntry | undefined;
  next: QueueEntry | undefined;
}

export function createEntry(
  request: ValidatedRequest,
  signal: AbortSignal | undefined,
  enqueuedMicroseconds: number,
  deadlineMicroseconds: number,
  resolve: (result: ScheduledResult) => void,
  reject: (error: Error) => void,
): QueueEntry {
  return {
    request,
    signal,
    enqueuedMicroseconds,
    deadlineMicroseconds,
    resolve,
    reject,
    settled: false,
    late: false,
    group: undefined,
    list: undefined,
    previous: undefined,
    next: undefined,
  };
}

/** Entries in the order in which they were appended. An entry leaves from any place in constant time. */
export class EntryList {
  #first: QueueEntry | undefined;
  #last: QueueEntry | undefined;
  #size = 0;

  get first(): QueueEntry | undefined {
    return this.#first;
  }

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

  /** @param entry one that is in this list. */
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
}
