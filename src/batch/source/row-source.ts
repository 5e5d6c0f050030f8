/**
 * One record of the input. `row` counts records from 0 and is the key of everything in a batch job; `line` is the
 * line of the file on which the record begins, from 1, for people.
 */
export type SourceRow =
  | { readonly kind: 'cells'; readonly row: number; readonly line: number; readonly cells: readonly string[] }
  | {
      readonly kind: 'fields';
      readonly row: number;
      readonly line: number;
      /** A parsed JSON object; integers beyond 2^53 are bigint. */
      readonly fields: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'invalid'; readonly row: number; readonly line: number; readonly message: string };

export type InputFormat = 'csv' | 'jsonl';

/** What one pass over the whole input found out. Everything a plan needs, and what makes the input itself. */
export interface InputSurvey {
  readonly format: InputFormat;
  /** SHA-256 of the bytes of the file as they lie on disk (still compressed), lower-case hex. */
  readonly sha256: string;
  /** Size of the file as it lies on disk. */
  readonly bytes: number;
  /** Size as UTF-8 text after decompression and decoding. */
  readonly textBytes: number;
  readonly rows: number;
  /** CSV: the header. JSONL: the keys of the first good row, in its order. */
  readonly columns: readonly string[];
}

/** A surveyed input whose rows can be read again, from any row on. */
export interface RowSource {
  readonly survey: InputSurvey;
  /**
   * Rows `[start, end)` in order, each exactly once, bad ones included as `invalid`. Cheapest when called with rising
   * ranges. Only one call may be in progress.
   * @throws {MillraceError} INPUT_UNREADABLE when the file has changed or cannot be read any more.
   */
  readRows(start: number, end: number): AsyncIterable<readonly SourceRow[]>;
  close(): Promise<void>;
}
