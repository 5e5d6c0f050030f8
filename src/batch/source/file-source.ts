import { readBlocks, type TextBlock, type TextPlace } from './block-reader.ts';
import { type InputFile, readText } from './input-text.ts';
import type { RowSource, SourceRow } from './row-source.ts';
import type { SurveyResult } from './survey.ts';

/** The rows of a surveyed file. */
export function createFileSource(file: InputFile, survey: SurveyResult): RowSource {
  return new FileSource(file, survey);
}

/** Reading stays open between calls, so that rising ranges go through the file once. */
class FileSource implements RowSource {
  readonly survey: RowSource['survey'];
  readonly #file: InputFile;
  readonly #result: SurveyResult;
  #blocks: AsyncGenerator<TextBlock> | undefined;
  /** Rows that were parsed and not yet asked for, in order. */
  #rows: readonly SourceRow[] = [];
  /** Number of the row that the next block begins with. */
  #nextRow = 0;

  constructor(file: InputFile, result: SurveyResult) {
    this.#file = file;
    this.#result = result;
    this.survey = result.survey;
  }

  async *readRows(start: number, end: number): AsyncIterable<readonly SourceRow[]> {
    if (start >= end) {
      return;
    }
    await this.#seek(start);
    let row = start;
    while (row < end) {
      const held = this.#takeRows(row, end);
      if (held.length > 0) {
        row += held.length;
        yield held;
      } else if (!(await this.#readBlock())) {
        return;
      }
    }
  }

  async close(): Promise<void> {
    await this.#blocks?.return(undefined);
    this.#blocks = undefined;
    this.#rows = [];
  }

  /** The held rows of the range, which are consecutive; those before it are dropped. */
  #takeRows(start: number, end: number): readonly SourceRow[] {
    const first = this.#rows[0]?.row ?? start;
    const taken = this.#rows.slice(Math.max(0, start - first), Math.max(0, end - first));
    this.#rows = this.#rows.slice(Math.max(0, end - first));
    return taken;
  }

  /** Places the reading so that `row` is in the rows held or still to come. */
  async #seek(row: number): Promise<void> {
    const firstHeld = this.#rows[0]?.row ?? this.#nextRow;
    const mark = this.#markBefore(row);
    if (this.#blocks !== undefined && row >= firstHeld && mark.row <= this.#nextRow) {
      return;
    }
    await this.close();
    this.#blocks = readBlocks(readText(this.#file, mark.offset), this.#result.rowFormat, mark);
    this.#nextRow = mark.row;
  }

  #markBefore(row: number): TextPlace {
    const { marks } = this.#result;
    let low = 0;
    let high = marks.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((marks[middle]?.row ?? 0) <= row) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return marks[low] ?? { row: 0, offset: 0, line: 1 };
  }

  async #readBlock(): Promise<boolean> {
    const next = await this.#blocks?.next();
    if (next === undefined || next.done) {
      return false;
    }
    const { place, text, block } = next.value;
    this.#rows = this.#result.rowFormat.parse(text, block, place.row, place.line);
    this.#nextRow = place.row + this.#rows.length;
    return true;
  }
}
