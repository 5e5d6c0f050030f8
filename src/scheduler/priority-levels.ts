import { EntryList } from './queue-entry.ts';

/** The waiting requests of one priority, in three lines. */
export class PriorityLevel {
  readonly priority: number;
  /** Entries that share batches. */
  readonly shared = new EntryList();
  /** Entries that run alone: they never wait for others to join them. */
  readonly alone = new EntryList();
  /** Entries past their deadline under the action DELAY: they run when nothing else is left in their level. */
  readonly late = new EntryList();

  constructor(priority: number) {
    this.priority = priority;
  }

  get size(): number {
    return this.shared.size + this.alone.size + this.late.size;
  }
}

/**
 * The levels in which something waits, the first to run first. A model may have a million levels: one that is empty costs
 * nothing.
 */
export class PriorityLevels implements Iterable<PriorityLevel> {
  readonly #byPriority = new Map<number, PriorityLevel>();
  readonly #sorted: PriorityLevel[] = [];

  /** Undefined when nothing of this priority waits. */
  find(priority: number): PriorityLevel | undefined {
    return this.#byPriority.get(priority);
  }

  /** The level of this priority, for an entry that comes into it. */
  open(priority: number): PriorityLevel {
    const known = this.#byPriority.get(priority);
    if (known !== undefined) {
      return known;
    }
    const level = new PriorityLevel(priority);
    const next = this.#sorted.findIndex((other) => other.priority > priority);
    this.#sorted.splice(next === -1 ? this.#sorted.length : next, 0, level);
    this.#byPriority.set(priority, level);
    return level;
  }

  /** Forgets the level if its last entry has left it. */
  closeIfEmpty(priority: number): void {
    const level = this.#byPriority.get(priority);
    if (level?.size === 0) {
      this.#byPriority.delete(priority);
      this.#sorted.splice(this.#sorted.indexOf(level), 1);
    }
  }

  [Symbol.iterator](): IterableIterator<PriorityLevel> {
    return this.#sorted.values();
  }
}
