import type { ValidatedRequest } from '../inference/request.ts';
import { canConcat } from '../tensor/concat.ts';
import type { Tensor, TensorLayout } from '../tensor/tensor.ts';

/** Waiting requests that can share a batch: the same inputs given, each of equal datatype and trailing shape. */
export interface RequestGroup {
  readonly key: string;
  /** Inputs of one of them, to hold others against. */
  readonly inputs: readonly (TensorLayout | undefined)[];
  /** Requests of it that wait. */
  size: number;
  /** Rows of them. */
  rows: number;
}

/**
 * The groups that have waiting requests. Requests of a model mostly look alike, so the group joined last is tried before
 * a key is built.
 */
export class RequestGroups {
  readonly #groups = new Map<string, RequestGroup>();
  #recent: RequestGroup | undefined;

  join(request: ValidatedRequest): RequestGroup {
    if (this.#recent === undefined || !canShareBatch(this.#recent, request)) {
      this.#recent = this.#find(request);
    }
    const group = this.#recent;
    if (group.size === 0) {
      this.#groups.set(group.key, group);
    }
    group.size += 1;
    group.rows += request.rows;
    return group;
  }

  leave(group: RequestGroup, request: ValidatedRequest): void {
    group.size -= 1;
    group.rows -= request.rows;
    if (group.size === 0) {
      this.#groups.delete(group.key);
    }
  }

  [Symbol.iterator](): IterableIterator<RequestGroup> {
    return this.#groups.values();
  }

  #find(request: ValidatedRequest): RequestGroup {
    const key = keyOf(request);
    return this.#groups.get(key) ?? { key, inputs: request.inputs.map(layoutOf), size: 0, rows: 0 };
  }
}

/** The layout alone: a group outlives its requests, and must not hold on to their data. */
function layoutOf(input: Tensor | undefined): TensorLayout | undefined {
  return input && { datatype: input.datatype, shape: input.shape };
}

function canShareBatch(a: RequestGroup, b: ValidatedRequest): boolean {
  for (let index = 0; index < a.inputs.length; index += 1) {
    const first = a.inputs[index];
    const second = b.inputs[index];
    if (first === undefined || second === undefined ? first !== second : !canConcat(first, second)) {
      return false;
    }
  }
  return true;
}

function keyOf({ inputs }: ValidatedRequest): string {
  return inputs
    .map((input) => (input === undefined ? '' : `${input.datatype}:${input.shape.slice(1)}`))
    .join('|');
}
