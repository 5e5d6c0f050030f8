import type { ModelInstance } from '../backend/backend.ts';

/**
 * An instance whose last execution took longer is given no batch ahead of time: the pause between two batches is nothing
 * beside it, while a request that is placed early can be neither cancelled nor timed out.
 */
const MAX_AHEAD_MICROSECONDS = 5_000;

/** A place where batches run. */
export interface InstanceSlot {
  readonly instance: ModelInstance;
  /** Batches that were sent and are not back. */
  inFlight: number;
  /** How long the last execution took in the runtime; infinity before the first. */
  lastComputeMicroseconds: number;
}

/** The living instances of a model, and which of them can take a batch. */
export class InstancePool {
  readonly #slots: InstanceSlot[] = [];

  get size(): number {
    return this.#slots.length;
  }

  /** Instances that run nothing. */
  get idle(): number {
    let count = 0;
    for (const { inFlight } of this.#slots) {
      count += inFlight === 0 ? 1 : 0;
    }
    return count;
  }

  add(instance: ModelInstance): void {
    if (!this.#slots.some((slot) => slot.instance === instance)) {
      this.#slots.push({ instance, inFlight: 0, lastComputeMicroseconds: Number.POSITIVE_INFINITY });
    }
  }

  /** The instance takes no more batches. */
  remove(instance: ModelInstance): void {
    const index = this.#slots.findIndex((slot) => slot.instance === instance);
    if (index !== -1) {
      this.#slots.splice(index, 1);
    }
  }

  /** An instance that runs nothing. */
  findIdle(): InstanceSlot | undefined {
    return this.#slots.find(({ inFlight }) => inFlight === 0);
  }

  /** A busy instance that can take its next batch ahead of time: the one with the least to do. */
  findAhead(): InstanceSlot | undefined {
    let found: InstanceSlot | undefined;
    for (const slot of this.#slots) {
      const canTake =
        slot.inFlight < slot.instance.maxInFlight && slot.lastComputeMicroseconds <= MAX_AHEAD_MICROSECONDS;
      if (canTake && (found === undefined || slot.inFlight < found.inFlight)) {
        found = slot;
      }
    }
    return found;
  }
}
