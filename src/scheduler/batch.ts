import { concatTensors } from '../tensor/concat.ts';
import { sliceRows } from '../tensor/split.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { QueueEntry } from './queue-entry.ts';

/** Requests that run together, in the order of their rows. */
export interface Batch {
  readonly entries: readonly QueueEntry[];
  readonly rows: number;
  /** Every output that one of the requests asks for, once. */
  readonly outputNames: readonly string[];
}

export function createBatch(entries: readonly QueueEntry[]): Batch {
  let rows = 0;
  let outputNames: readonly string[] = [];
  for (const { request } of entries) {
    rows += request.rows;
    if (outputNames.length === 0) {
      outputNames = request.outputNames;
    } else if (outputNames !== request.outputNames) {
      const known = outputNames;
      const more = request.outputNames.filter((name) => !known.includes(name));
      outputNames = more.length === 0 ? known : [...known, ...more];
    }
  }
  return { entries, rows, outputNames };
}

/** The inputs of the whole batch: in buffers of their own, unless it is one request alone, whose inputs they then are. */
export function joinInputs({ entries }: Batch): readonly (Tensor | undefined)[] {
  const inputs = entries[0]?.request.inputs ?? [];
  return inputs.map((input, index) => {
    if (input === undefined) {
      return undefined;
    }
    if (entries.length === 1) {
      return input;
    }
    // Requests of one batch have the same inputs.
    return concatTensors(entries.map(({ request }) => request.inputs[index] ?? input));
  });
}

/**
 * The outputs of each request of the batch, in the order of its entries and of what each asked for: views of the rows
 * that are its own.
 * @param outputs one for each of the batch's `outputNames`, with as many rows as the batch.
 */
export function splitOutputs(batch: Batch, outputs: readonly Tensor[]): readonly (readonly Tensor[])[] {
  let end = 0;
  return batch.entries.map(({ request }) => {
    const start = end;
    end += request.rows;
    const own =
      request.outputNames === batch.outputNames
        ? outputs
        : request.outputNames.flatMap((name) => outputs[batch.outputNames.indexOf(name)] ?? []);
    return batch.entries.length === 1 ? own : own.map((tensor) => sliceRows(tensor, start, end));
  });
}
