/** One result, read back from the files of a job. */
export interface ResultRecord {
  readonly row: number;
  readonly id: string;
  /** What is wrong with its values; undefined when they are as declared. */
  readonly problem: string | undefined;
  /** Values that are NaN or infinite. */
  readonly nonFiniteValues: number;
}

/** A record, or what stands in the place of one and cannot be read. */
export type ReadResult =
  | { readonly kind: 'record'; readonly record: ResultRecord }
  | { readonly kind: 'unreadable'; readonly message: string };
