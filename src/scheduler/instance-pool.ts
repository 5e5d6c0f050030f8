import type { ModelInstance } from '../backend/backend.ts';

/**
 * An execution longer than this leaves its instance no batch ahead of time: the wait between two batches is nothing
 * beside it, while a request that is placed early can be neither cancelled nor timed out.
 */
const MAX_AHEAD_MICROSECONDS = 5_000;

/** What an instance is doing. */
export interface InstanceSlot {
  readonly instance: ModelInstance;
  inFlight: number;
  /** Rows of the batch that was sent last. */
  lastRows: number;
  /** How long the last execution took in the runtime; infinity before the first. */
  lastComputeMicroseconds: number;
}

/** The instances of a model, and who of them can take a batch. */
export class InstancePool {
  readonly #slots: InstanceSlot[] = [];

  get size(): number {
    return this.#slots.length;
  }

  /** Batches that were sent and are not back. */
  get inFlight(): number {
    return this.#slots.reduce((sum, slot) => sum + slot.inFlight, 0);
  }

  get idleInstances(): number {
    let count = 0;
    for (const { inFlight } of this.#slots) {
      count += inFlight === 0 ? 1 : 0;
    }
    return count;
  }

  add(instance: ModelInstance): void {
    this.#slots.push({
      instance,
      inFlight: 0,
      lastRows: 0,
      lastComputeMicroseconds: Number.POSITIVE_INFINITY,
    });
  }

  remove(instance: ModelInstance): void {
    const index = this.#slots.findIndex((slot) => slot.instance === instance);
    if (index !== -1) {
      this.#slots.splice(index, 1);
    }
  }

  /** An idle instance, the one that was idle longest not being told from the others; undefined when all are busy. */
  findIdle(): InstanceSlot | undefined {
    return this.#slots.find(({ inFlight }) => inFlight === 0);
  }

  /** A busy instance that can take its next batch ahead of time: the one with the smallest batch to run. */
  findAhead(): InstanceSlot | undefined {
    let found: InstanceSlot | undefined;
    for (const slot of this.#slots) {
      const canTake =
        slot.inFlight > 0 &&
        slot.inFlight < slot.instance.maxInFlight &&
        slot.lastComputeMicroseconds <= MAX_AHEAD_MICROSECONDS;
      if (canTake && (found === undefined || slot.lastRows < found.lastRows)) {
        found = slot;
      }
    }
    return found;
  }
}
