import type { DynamicBatching } from '../../model-config/model-config.ts';
import { createEntry, type QueueEntry } from '../queue-entry.ts';
import { RequestQueue } from '../request-queue.ts';
import { filled } from './open-scheduler.ts';

interface EntryOptions {
  readonly rows?: number;
  readonly width?: number;
  readonly priority?: number;
  readonly atMicroseconds?: number;
  readonly deadlineMicroseconds?: number;
}

/** An entry whose caller does not listen. */
export function quietEntry(options: EntryOptions = {}): QueueEntry {
  const {
    rows = 1,
    width = 1,
    priority = 0,
    atMicroseconds = 0,
    deadlineMicroseconds = Number.POSITIVE_INFINITY,
  } = options;
  const request = {
    request: { modelName: 'fake', inputs: new Map() },
    inputs: [filled(0, rows, width)],
    rows,
    outputNames: ['same'],
    priority,
  };
  const ignore = (): void => {};
  return createEntry(request, undefined, atMicroseconds, deadlineMicroseconds, ignore, ignore);
}

/** A queue with one entry for each of `options`, in that order. */
export function fillQueue(
  options: readonly EntryOptions[],
  batching?: DynamicBatching,
): { readonly queue: RequestQueue; readonly entries: readonly QueueEntry[] } {
  const queue = new RequestQueue(batching);
  const entries = options.map(quietEntry);
  for (const entry of entries) {
    queue.add(entry, false);
  }
  return { queue, entries };
}
