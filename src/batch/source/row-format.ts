import type { SourceRow } from './row-source.ts';

/**
 * A piece of text cut into whole records. Text is held as Latin-1 strings, one character a byte, so that positions are
 * byte offsets and no character of several bytes is ever cut; cells are decoded as UTF-8 at the end.
 */
export interface RecordBlock {
  /** Characters of the text that the records take up; the rest belongs to the next block. */
  readonly consumed: number;
  /** The records, blank ones left out. */
  readonly records: readonly RecordSpan[];
  /** Line ends in the consumed text. */
  readonly lines: number;
}

/** Where a record lies in its text, its line end left out. */
export interface RecordSpan {
  readonly start: number;
  readonly end: number;
  /** Lines between the beginning of the text and that of the record. */
  readonly line: number;
  /** A quote is opened in it and closed nowhere. */
  readonly unclosed: boolean;
}

/** How rows are written in a file. */
export interface RowFormat {
  /**
   * @param isLast no text follows: what is left is a record too.
   */
  scan(text: string, isLast: boolean): RecordBlock;
  /** The rows of a block; the first has number `row` and the text begins on line `line`. */
  parse(text: string, block: RecordBlock, row: number, line: number): readonly SourceRow[];
}
