import type { NamedTensors } from '../../tensor/tensor.ts';

/** One result, read back from the files of a job. */
export interface ResultRecord {
  readonly row: number;
  readonly id: string;
  /** Values of the outputs, of the shape that one row has. An output that is not as declared is left out. */
  readonly outputs: NamedTensors;
  /** What is wrong with the values; undefined when they are as declared. */
  readonly problem: string | undefined;
}

/** A record, or what stands in the place of one and cannot be read. */
export type ReadResult =
  | { readonly kind: 'record'; readonly record: ResultRecord }
  | { readonly kind: 'unreadable'; readonly message: string };

export function unreadable(message: string): ReadResult {
  return { kind: 'unreadable', message };
}
