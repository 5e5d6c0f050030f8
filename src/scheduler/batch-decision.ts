/**
 * Which waiting requests run next, as a pure function of what waits, what is free, and the time.
 *
 * - A batch holds requests of one group (equal datatypes and trailing shapes), and at most `maxBatchSize` rows.
 * - Without a queue delay an idle instance runs what is there at once. What is there is divided over the idle instances:
 *   two halves side by side end sooner than one whole.
 * - With a queue delay requests wait until a batch is of a preferred size or can grow no further, or until the oldest
 *   has waited long enough; then it takes what is there.
 * - Priorities are strict: a batch that is ready gives way to another that is led by a request of a higher level.
 * - A busy instance is given its next batch ahead of time only when that batch has nothing to gain by waiting.
 */
import type { QueueEntry } from './queue-entry.ts';
import type { RequestGroup } from './request-group.ts';

/** The rules of a model. */
export interface BatchPolicy {
  /** Rows of a batch; 0 where requests do not share batches. */
  readonly maxBatchSize: number;
  /** Rising; empty: no preference. */
  readonly preferredBatchSizes: readonly number[];
  readonly maxQueueDelayMicroseconds: number;
}

/** What is free to run a batch. */
export interface FreeInstances {
  /** Instances that run nothing. */
  readonly idle: number;
  /** True: a busy instance can take its next batch ahead of time. */
  readonly ahead: boolean;
}

/** The view of the queue that a decision needs. */
export interface WaitingRequests {
  readonly rows: number;
  readonly groups: Iterable<RequestGroup>;
  /** The first entry of each line, in the order in which they should run. */
  heads(): Iterable<QueueEntry>;
  membersOf(group: RequestGroup): Iterable<QueueEntry>;
}

export type BatchDecision =
  | { readonly kind: 'run'; readonly entries: readonly QueueEntry[] }
  /** Nothing runs before something changes, or the time has come; infinity: only a change helps. */
  | { readonly kind: 'wait'; readonly untilMicroseconds: number };

/** A batch that could run. */
interface Candidate {
  readonly entries: readonly QueueEntry[];
  /** It cannot grow, or is of a preferred size. */
  readonly complete: boolean;
}

export function decideBatch(
  waiting: WaitingRequests,
  policy: BatchPolicy,
  free: FreeInstances,
  nowMicroseconds: number,
): BatchDecision {
  let untilMicroseconds = Number.POSITIVE_INFINITY;
  if (free.idle === 0 && !free.ahead) {
    return { kind: 'wait', untilMicroseconds };
  }
  let chosen: Candidate | undefined;
  for (const head of waiting.heads()) {
    const dueMicroseconds = head.enqueuedMicroseconds + policy.maxQueueDelayMicroseconds;
    if (head.group === undefined) {
      chosen = { entries: [head], complete: true };
      break;
    }
    if (head.late || dueMicroseconds <= nowMicroseconds) {
      chosen = formBatch(waiting, head.group, policy, free, head);
      break;
    }
    untilMicroseconds = Math.min(untilMicroseconds, dueMicroseconds);
  }
  // Nothing goes before the first level, or before a choice where there are no levels.
  if (policy.maxQueueDelayMicroseconds > 0 && (chosen === undefined || priorityOf(chosen) > 1)) {
    chosen = preferGrown(waiting, policy, free, chosen);
  }
  if (chosen !== undefined && (free.idle > 0 || chosen.complete)) {
    return { kind: 'run', entries: chosen.entries };
  }
  return { kind: 'wait', untilMicroseconds };
}

/** A batch that has grown enough to run before its delay is over, if one goes before `chosen`. */
function preferGrown(
  waiting: WaitingRequests,
  policy: BatchPolicy,
  free: FreeInstances,
  chosen: Candidate | undefined,
): Candidate | undefined {
  const enough = Math.min(...policy.preferredBatchSizes, policy.maxBatchSize);
  let best = chosen;
  for (const group of waiting.groups) {
    if (group.rows >= enough) {
      const candidate = formBatch(waiting, group, policy, free, undefined);
      if (candidate !== undefined && (best === undefined || priorityOf(candidate) < priorityOf(best))) {
        best = candidate;
      }
    }
  }
  return best;
}

function priorityOf({ entries }: Candidate): number {
  return entries[0]?.request.priority ?? 0;
}

/**
 * The batch that the group gives now; undefined while it waits for more.
 * @param due the request of the group whose delay is over, which runs whatever else there is.
 */
function formBatch(
  waiting: WaitingRequests,
  group: RequestGroup,
  policy: BatchPolicy,
  free: FreeInstances,
  due: QueueEntry | undefined,
): Candidate | undefined {
  const { maxBatchSize, preferredBatchSizes, maxQueueDelayMicroseconds } = policy;
  const rowLimit = chooseRowLimit(waiting, policy, free);
  const entries: QueueEntry[] = [];
  let rows = 0;
  let full = false;
  let preferredEntries = 0;
  for (const entry of waiting.membersOf(group)) {
    if (rows > 0 && rows + entry.request.rows > rowLimit) {
      full = rowLimit === maxBatchSize;
      break;
    }
    entries.push(entry);
    rows += entry.request.rows;
    if (preferredBatchSizes.includes(rows)) {
      preferredEntries = entries.length;
    }
  }
  full ||= rows === maxBatchSize;
  const delayIsOver = due !== undefined && maxQueueDelayMicroseconds > 0;
  if (preferredEntries > 0 && !delayIsOver) {
    return { entries: entries.slice(0, preferredEntries), complete: true };
  }
  if (due !== undefined && entries.length === 0) {
    return { entries: [due], complete: false };
  }
  if (due !== undefined || full) {
    return { entries, complete: full || preferredEntries === entries.length };
  }
  return undefined;
}

/** Rows for one batch, so that what waits is spread over what is idle. */
function chooseRowLimit(waiting: WaitingRequests, policy: BatchPolicy, free: FreeInstances): number {
  const divides =
    free.idle > 1 && policy.preferredBatchSizes.length === 0 && policy.maxQueueDelayMicroseconds === 0;
  return divides ? Math.min(Math.ceil(waiting.rows / free.idle), policy.maxBatchSize) : policy.maxBatchSize;
}
