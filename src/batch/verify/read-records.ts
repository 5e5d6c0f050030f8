import { createReadStream } from 'node:fs';
import { readBlocks } from '../source/block-reader.ts';
import type { RowFormat } from '../source/row-format.ts';
import type { SourceRow } from '../source/row-source.ts';

const READ_BYTES = 1 << 20;

/** A result may be large, but not without end: a file that was damaged need not have line ends. */
const MAX_RECORD_BYTES = 256 << 20;

/**
 * The records of a file that a job wrote, one by one.
 * @throws {Error} when the file cannot be read; {MillraceError} INPUT_UNREADABLE when a record is longer than 256 MiB.
 */
export async function* readRecords(path: string, format: RowFormat): AsyncGenerator<SourceRow> {
  const chunks = createReadStream(path, { highWaterMark: READ_BYTES });
  const start = { row: 0, offset: 0, line: 1 };
  for await (const { place, text, block } of readBlocks(chunks, format, start, MAX_RECORD_BYTES)) {
    yield* format.parse(text, block, place.row, place.line);
  }
}
