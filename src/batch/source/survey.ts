import { createHash } from 'node:crypto';
import { MillraceError } from '../../base/errors.ts';
import { readBlocks, type TextPlace } from './block-reader.ts';
import { createCsvFormat, readCsvHeader } from './csv-format.ts';
import { type InputFile, readText } from './input-text.ts';
import { jsonlFormat } from './jsonl-format.ts';
import type { RowFormat } from './row-format.ts';
import type { InputFormat, InputSurvey } from './row-source.ts';

/** Marks kept, at most: with more, every other one is dropped, so that memory stays bounded for any file. */
const MAX_MARKS = 4096;

/** What the one pass over the input leaves for reading it again. */
export interface SurveyResult {
  readonly survey: InputSurvey;
  readonly rowFormat: RowFormat;
  /** Places to begin reading at, rising; the first is that of row 0. */
  readonly marks: readonly TextPlace[];
  /** The delimiter, where it was found rather than given. */
  readonly foundDelimiter: string | undefined;
}

/**
 * Reads the whole input once: checksum, rows, columns, and marks.
 * @param signal ends it with REQUEST_CANCELLED.
 * @throws {MillraceError} INPUT_UNREADABLE.
 */
export async function surveyInput(
  file: InputFile,
  format: InputFormat,
  delimiter: string | undefined,
  signal: AbortSignal | undefined,
): Promise<SurveyResult> {
  const hash = createHash('sha256');
  const chunks = readText(file, 0, (chunk) => hash.update(chunk));
  const head = await readHead(chunks, format, delimiter, file.path);
  let marks: TextPlace[] = [];
  let stride = 1;
  let blocks = 0;
  let end: TextPlace = head.start;
  let columns = head.columns;
  for await (const { place, text, block } of readBlocks(
    prepend(head.rest, chunks),
    head.rowFormat,
    head.start,
  )) {
    if (signal?.aborted) {
      throw new MillraceError('REQUEST_CANCELLED', 'stopped while the input was read for the first time');
    }
    if (blocks % stride === 0) {
      marks.push(place);
    }
    if (marks.length > MAX_MARKS) {
      marks = marks.filter((_, index) => index % 2 === 0);
      stride *= 2;
    }
    blocks += 1;
    columns ??= firstKeys(head.rowFormat, text, block);
    end = { ...place, row: place.row + block.records.length, offset: place.offset + block.consumed };
  }
  return {
    survey: {
      format,
      sha256: hash.digest('hex'),
      bytes: file.bytes,
      textBytes: end.offset,
      rows: end.row,
      columns: columns ?? [],
    },
    rowFormat: head.rowFormat,
    marks: marks.length === 0 ? [head.start] : marks,
    foundDelimiter: head.foundDelimiter,
  };
}

interface Head {
  readonly rowFormat: RowFormat;
  /** Undefined for JSONL, whose columns are the keys of its first object. */
  readonly columns: readonly string[] | undefined;
  readonly start: TextPlace;
  /** Bytes that were read already and belong to the rows. */
  readonly rest: Buffer;
  readonly foundDelimiter: string | undefined;
}

async function readHead(
  chunks: AsyncGenerator<Buffer>,
  format: InputFormat,
  delimiter: string | undefined,
  path: string,
): Promise<Head> {
  if (format === 'jsonl') {
    const start = { row: 0, offset: 0, line: 1 };
    return {
      rowFormat: jsonlFormat,
      columns: undefined,
      start,
      rest: Buffer.alloc(0),
      foundDelimiter: undefined,
    };
  }
  let bytes: Buffer = Buffer.alloc(0);
  for (;;) {
    const next = await chunks.next();
    if (!next.done) {
      bytes = Buffer.concat([bytes, next.value]);
    }
    const header = readCsvHeader(bytes.toString('latin1'), next.done === true, delimiter, path);
    if (header !== undefined) {
      return {
        rowFormat: createCsvFormat(header),
        columns: header.columns,
        start: { row: 0, offset: header.bytes, line: header.lines + 1 },
        rest: bytes.subarray(header.bytes),
        foundDelimiter: delimiter === undefined ? header.dialect.delimiter : undefined,
      };
    }
  }
}

async function* prepend(first: Buffer, others: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) {
    yield first;
  }
  yield* others;
}

function firstKeys(
  rowFormat: RowFormat,
  text: string,
  block: Parameters<RowFormat['parse']>[1],
): readonly string[] | undefined {
  for (const record of block.records) {
    const [row] = rowFormat.parse(text, { ...block, records: [record] }, 0, 1);
    if (row?.kind === 'fields') {
      return Object.keys(row.fields);
    }
  }
  return undefined;
}
