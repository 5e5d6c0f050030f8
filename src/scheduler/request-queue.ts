import type { DynamicBatching, QueuePolicy } from '../model-config/model-config.ts';
import { Deadlines } from './deadlines.ts';
import { EntryList, type QueueEntry } from './queue-entry.ts';
import { policyOfLevel } from './queue-policy.ts';
import { type RequestGroup, RequestGroups } from './request-group.ts';

/** Entries passed over in search of one group, at most: bounds the work when its few stand far apart among many. */
const MAX_PASSED = 4096;

/** The lines of a priority level. */
interface Level {
  readonly priority: number;
  readonly policy: QueuePolicy;
  /** Entries that share batches. */
  readonly shared: EntryList;
  /** Entries that run alone: they never wait for the others to grow. */
  readonly alone: EntryList;
  /** Entries past their deadline under the action DELAY: they run when nothing on time is left in their level. */
  readonly late: EntryList;
}

/** The waiting requests of a model: strict priorities, order of arrival within a level. Every step takes constant time. */
export class RequestQueue {
  readonly #batching: DynamicBatching | undefined;
  /** Rising by priority; a level is there once it was used. */
  readonly #levels: Level[] = [];
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
    const { policy, shared, alone, late } = this.#level(priority);
    return policy.maxQueueSize === 0 || shared.size + alone.size + late.size < policy.maxQueueSize;
  }

  /** @param runsAlone true: it shares its batch with nobody. */
  add(entry: QueueEntry, runsAlone: boolean): void {
    const { request } = entry;
    const { shared, alone } = this.#level(request.priority);
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
      const { policy, late } = this.#level(entry.request.priority);
      if (policy.timeoutAction === 'DELAY') {
        entry.list?.remove(entry);
        late.append(entry);
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
    for (const { shared, alone, late } of this.#levels) {
      for (const list of [shared, alone, late]) {
        for (let entry = list.first; entry !== undefined; entry = list.first) {
          this.remove(entry);
          entries.push(entry);
        }
      }
    }
    return entries;
  }

  #level(priority: number): Level {
    for (const level of this.#levels) {
      if (level.priority === priority) {
        return level;
      }
    }
    const level = {
      priority,
      policy: policyOfLevel(this.#batching, priority),
      shared: new EntryList(),
      alone: new EntryList(),
      late: new EntryList(),
    };
    this.#levels.push(level);
    this.#levels.sort((a, b) => a.priority - b.priority);
    return level;
  }
}

function isOlder(a: QueueEntry | undefined, b: QueueEntry | undefined): boolean {
  return a !== undefined && b !== undefined && a.enqueuedMicroseconds < b.enqueuedMicroseconds;
}
