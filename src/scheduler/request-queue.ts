import type { DynamicBatching } from '../model-config/model-config.ts';
import { Deadlines } from './deadlines.ts';
import { PriorityLevels } from './priority-levels.ts';
import type { QueueEntry } from './queue-entry.ts';
import { policyOfLevel } from './queue-policy.ts';
import { type RequestGroup, RequestGroups } from './request-group.ts';

/** Entries passed over in search of one group, at most: bounds the work when its few stand far apart among many. */
const MAX_PASSED = 4096;

/** The waiting requests of a model: strict priorities, order of arrival within a level. */
export class RequestQueue {
  readonly #batching: DynamicBatching | undefined;
  readonly #levels = new PriorityLevels();
  readonly #groups = new RequestGroups();
  readonly #deadlines = new Deadlines();
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

  /** The groups that have waiting requests. */
  get groups(): Iterable<RequestGroup> {
    return this.#groups;
  }

  /** The nearest deadline of what waits; infinity for none. */
  get nextDeadlineMicroseconds(): number {
    return this.#deadlines.next();
  }

  /** True when the level of `priority` can take one more request. */
  hasRoom(priority: number): boolean {
    const { maxQueueSize } = policyOfLevel(this.#batching, priority);
    return maxQueueSize === 0 || (this.#levels.find(priority)?.size ?? 0) < maxQueueSize;
  }

  /** @param runsAlone true: it shares its batch with nobody. */
  add(entry: QueueEntry, runsAlone: boolean): void {
    const { request } = entry;
    const { shared, alone } = this.#levels.open(request.priority);
    if (runsAlone) {
      alone.append(entry);
    } else {
      shared.append(entry);
      entry.group = this.#groups.join(request);
    }
    this.#size += 1;
    this.#rows += request.rows;
    if (entry.deadlineMicroseconds !== Number.POSITIVE_INFINITY) {
      this.#deadlines.add(entry, this.#size);
    }
  }

  /** Takes out an entry that waits. */
  remove(entry: QueueEntry): void {
    entry.list?.remove(entry);
    this.#levels.closeIfEmpty(entry.request.priority);
    this.#size -= 1;
    this.#rows -= entry.request.rows;
    if (entry.group !== undefined) {
      this.#groups.leave(entry.group, entry.request);
    }
  }

  /**
   * Takes out what is past its deadline and to be rejected, and puts what is to be delayed behind the others of its
   * level.
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
        this.#levels.open(priority).late.append(entry);
        entry.late = true;
      } else {
        this.remove(entry);
        rejected.push(entry);
      }
    }
  }

  /** The first entry of each line, in the order in which they should run. */
  *heads(): Iterable<QueueEntry> {
    for (const { shared, alone, late } of this.#levels) {
      const lines = isOlder(alone.first, shared.first) ? [alone, shared, late] : [shared, alone, late];
      for (const { first } of lines) {
        if (first !== undefined) {
          yield first;
        }
      }
    }
  }

  /** The waiting entries of a group, in the order in which they should run. */
  *membersOf(group: RequestGroup): Iterable<QueueEntry> {
    let left = group.size;
    let passed = 0;
    for (const { shared, late } of this.#levels) {
      for (const list of [shared, late]) {
        for (
          let entry = list.first;
          entry !== undefined && left > 0 && passed < MAX_PASSED;
          entry = entry.next
        ) {
          if (entry.group === group) {
            left -= 1;
            yield entry;
          } else {
            passed += 1;
          }
        }
      }
    }
  }

  /** Takes out everything. */
  clear(): readonly QueueEntry[] {
    const entries: QueueEntry[] = [];
    for (const { shared, alone, late } of [...this.#levels]) {
      for (const list of [shared, alone, late]) {
        for (let entry = list.first; entry !== undefined; entry = list.first) {
          this.remove(entry);
          entries.push(entry);
        }
      }
    }
    return entries;
  }
}

function isOlder(a: QueueEntry | undefined, b: QueueEntry | undefined): boolean {
  return a !== undefined && b !== undefined && a.enqueuedMicroseconds < b.enqueuedMicroseconds;
}
