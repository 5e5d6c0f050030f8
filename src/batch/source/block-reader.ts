import { MillraceError } from '../../base/errors.ts';
import type { RecordBlock, RowFormat } from './row-format.ts';

/** A record longer than this is taken for a mistake, such as a quote that was never closed. */
const MAX_RECORD_BYTES = 16 << 20;

/** A place in the text at which a record begins. */
export interface TextPlace {
  /** Number of the row that begins here. */
  readonly row: number;
  readonly offset: number;
  /** From 1. */
  readonly line: number;
}

/** A piece of text in whole records, and where it begins. */
export interface TextBlock {
  readonly place: TextPlace;
  readonly text: string;
  readonly block: RecordBlock;
}

/**
 * Cuts chunks of any size into blocks of whole records. A record that lies across chunks is put together first.
 * @throws {MillraceError} INPUT_UNREADABLE when a record is longer than `maxRecordBytes`.
 */
export async function* readBlocks(
  chunks: AsyncIterable<Buffer>,
  format: RowFormat,
  start: TextPlace,
  maxRecordBytes = MAX_RECORD_BYTES,
): AsyncGenerator<TextBlock> {
  let place = start;
  let rest = '';
  const cut = (text: string, isLast: boolean): TextBlock => {
    const block = format.scan(text, isLast);
    const cutPlace = place;
    place = {
      row: place.row + block.records.length,
      offset: place.offset + block.consumed,
      line: place.line + block.lines,
    };
    rest = text.slice(block.consumed);
    return { place: cutPlace, text, block };
  };
  for await (const chunk of chunks) {
    const result = cut(rest + chunk.toString('latin1'), false);
    if (rest.length > maxRecordBytes) {
      throw new MillraceError(
        'INPUT_UNREADABLE',
        `the row that begins on line ${place.line} is longer than ${maxRecordBytes} bytes: is a quote not closed there?`,
      );
    }
    if (result.block.records.length > 0) {
      yield result;
    }
  }
  const last = cut(rest, true);
  if (last.block.records.length > 0) {
    yield last;
  }
}
