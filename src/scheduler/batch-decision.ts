/**
 * Which waiting requests run next, as a pure function of what is waiting, what is free, and the time.
 *
 * - A batch holds requests with the same datatypes and trailing shapes only, and never more rows than max_batch_size.
 * - With a queue delay, requests wait until a preferred size or max_batch_size is reached, or the oldest has waited long
 *   enough. Until then a batch is exactly of a preferred size; afterwards it takes what is there.
 * - Without one, an idle instance runs what is there at once. What is there is divided over the idle instances, since two
 *   halves side by side end sooner than one whole.
 * - A busy instance may be given its next batch ahead of time, so that it does not idle between two. That batch must not
 *   be smaller than the running one: what comes in meanwhile can still join it otherwise.
 */

import type { ValidatedRequest } from '../inference/request.ts';
import { canConcat } from '../tensor/concat.ts';

/** Rows of a batch below which cutting it in two, to keep an instance busy in between, is not worth it. */
const MIN_PIPELINED_ROWS = 8;

/** Waiting requests looked at for one decision, at most: bounds the work when few of many fit together. */
const MAX_SCANNED = 4096;

/** The rules of a model. */
export interface BatchPolicy {
  /** False: every request runs alone. */
  readonly merges: boolean;
  readonly maxBatchSize: number;
  /** Rising; empty: no preference. */
  readonly preferredBatchSizes: readonly number[];
  readonly maxQueueDelayMicroseconds: number;
}

/** What is free to run a batch. */
export interface FreeSlots {
  /** Instances that run nothing. */
  readonly idleInstances: number;
  /** Rows that an instance is running which can take its next batch ahead of time; undefined when there is none. */
  readonly aheadOfRows: number | undefined;
}

/** What the decision must know of a waiting request. */
export interface WaitingRequest {
  readonly request: ValidatedRequest;
  readonly enqueuedMicroseconds: number;
}

export type BatchDecision<T extends WaitingRequest> =
  | { readonly kind: 'run'; readonly entries: readonly T[] }
  /** Nothing runs before something changes, or `untilMicroseconds` has come. */
  | { readonly kind: 'wait'; readonly untilMicroseconds: number | undefined };

interface Group<T> {
  readonly entries: T[];
  rows: number;
  /** No further request of this kind fits. */
  full: boolean;
  /** Entries that together have the largest preferred size that was met; 0 for none. */
  preferredEntries: number;
}

/**
 * @param waiting in the order in which they should run.
 * @param waitingRows rows of all of them.
 */
export function decideBatch<T extends WaitingRequest>(
  waiting: Iterable<T>,
  waitingRows: number,
  policy: BatchPolicy,
  free: FreeSlots,
  nowMicroseconds: number,
): BatchDecision<T> {
  if (free.idleInstances === 0 && free.aheadOfRows === undefined) {
    return { kind: 'wait', untilMicroseconds: undefined };
  }
  let untilMicroseconds: number | undefined;
  for (const group of groupRequests(waiting, policy)) {
    const [oldest] = group.entries;
    if (oldest === undefined) {
      continue;
    }
    const runsAlone = !policy.merges || oldest.request.request.exclusive === true;
    const due = oldest.enqueuedMicroseconds + policy.maxQueueDelayMicroseconds;
    const ready = runsAlone ? 1 : countReady(group, policy, due <= nowMicroseconds);
    if (ready === 0) {
      untilMicroseconds = Math.min(untilMicroseconds ?? due, due);
    } else if (free.idleInstances > 0) {
      return {
        kind: 'run',
        entries: takeRows(group.entries, ready, chooseRowLimit(waitingRows, policy, free)),
      };
    } else if (runsAlone || isWorthRunningAhead(group, ready, policy, free.aheadOfRows)) {
      return { kind: 'run', entries: takeRows(group.entries, ready, policy.maxBatchSize) };
    }
  }
  return { kind: 'wait', untilMicroseconds };
}

/** Rows for one batch, so that what is waiting is spread over the instances that are idle. */
function chooseRowLimit(waitingRows: number, policy: BatchPolicy, free: FreeSlots): number {
  if (policy.preferredBatchSizes.length > 0) {
    return policy.maxBatchSize;
  }
  const share = Math.ceil(waitingRows / free.idleInstances);
  const half = Math.ceil(share / 2);
  if (share < 2 * policy.maxBatchSize && half >= MIN_PIPELINED_ROWS) {
    return Math.min(half, policy.maxBatchSize);
  }
  return Math.min(share, policy.maxBatchSize);
}

/** Waiting requests by kind, each kind in order and cut where its batch is full; ends early once the first kind is full. */
function groupRequests<T extends WaitingRequest>(
  waiting: Iterable<T>,
  policy: BatchPolicy,
): readonly Group<T>[] {
  const groups: Group<T>[] = [];
  let scanned = 0;
  for (const entry of waiting) {
    const alone = !policy.merges || entry.request.request.exclusive === true;
    const group = alone
      ? undefined
      : groups.find(({ entries }) => canShareBatch(entries[0]?.request, entry.request));
    if (group === undefined) {
      groups.push({ entries: [entry], rows: entry.request.rows, full: alone, preferredEntries: 0 });
    } else if (!group.full) {
      addToGroup(group, entry, policy.maxBatchSize);
    }
    const last = group ?? groups.at(-1);
    if (last !== undefined) {
      notePreferred(last, policy);
      last.full ||= last.rows >= policy.maxBatchSize;
    }
    scanned += 1;
    if (groups[0]?.full || scanned === MAX_SCANNED) {
      break;
    }
  }
  return groups;
}

function addToGroup<T extends WaitingRequest>(group: Group<T>, entry: T, maxRows: number): void {
  if (group.rows + entry.request.rows > maxRows) {
    group.full = true;
  } else {
    group.entries.push(entry);
    group.rows += entry.request.rows;
  }
}

function notePreferred<T>(group: Group<T>, policy: BatchPolicy): void {
  if (policy.preferredBatchSizes.includes(group.rows)) {
    group.preferredEntries = group.entries.length;
  }
}

/** How many of the group's requests run now; 0 while they wait for more. */
function countReady<T>(group: Group<T>, policy: BatchPolicy, delayIsOver: boolean): number {
  if (delayIsOver && policy.maxQueueDelayMicroseconds > 0) {
    return group.entries.length;
  }
  if (group.preferredEntries > 0) {
    return group.preferredEntries;
  }
  return delayIsOver || group.full ? group.entries.length : 0;
}

/** The first of the `ready` entries that together have at most `maxRows`, and one in any case. */
function takeRows<T extends WaitingRequest>(
  entries: readonly T[],
  ready: number,
  maxRows: number,
): readonly T[] {
  let rows = entries[0]?.request.rows ?? 0;
  let count = 1;
  while (count < ready) {
    rows += entries[count]?.request.rows ?? 0;
    if (rows > maxRows) {
      break;
    }
    count += 1;
  }
  return entries.slice(0, count);
}

function isWorthRunningAhead<T extends WaitingRequest>(
  group: Group<T>,
  count: number,
  policy: BatchPolicy,
  aheadOfRows: number | undefined,
): boolean {
  let rows = 0;
  for (const entry of group.entries.slice(0, count)) {
    rows += entry.request.rows;
  }
  return aheadOfRows !== undefined && rows >= Math.min(aheadOfRows, policy.maxBatchSize);
}

/** True when the two can stand in one batch: the same inputs given, each of equal datatype and trailing shape. */
function canShareBatch(a: ValidatedRequest | undefined, b: ValidatedRequest): boolean {
  if (a === undefined || a.request.exclusive === true) {
    return false;
  }
  for (let index = 0; index < b.inputs.length; index += 1) {
    const first = a.inputs[index];
    const second = b.inputs[index];
    if (first === undefined || second === undefined) {
      if (first !== second) {
        return false;
      }
    } else if (!canConcat(first, second)) {
      return false;
    }
  }
  return true;
}
