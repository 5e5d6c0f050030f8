import Papa from 'papaparse';
import { MillraceError } from '../../base/errors.ts';
import { scanLines } from './line-scanner.ts';
import { scanQuotedRecords } from './quote-scanner.ts';
import type { RecordBlock, RecordSpan, RowFormat } from './row-format.ts';
import type { SourceRow } from './row-source.ts';
import { decodeUtf8, isAscii } from './utf8-cell.ts';

/** How this CSV file is written. */
export interface CsvDialect {
  /** One ASCII character. */
  readonly delimiter: string;
  /** Lines end with \r alone, as on the first Macs. */
  readonly loneReturns: boolean;
}

/** A dialect and the names of its columns. */
export interface CsvHeader {
  readonly dialect: CsvDialect;
  readonly columns: readonly string[];
  /** Bytes and lines of the header, its line end included. */
  readonly bytes: number;
  readonly lines: number;
}

/** Delimiters that are looked for when none is given, the likeliest first. */
const DELIMITERS = [',', '\t', ';', '|'] as const;

/**
 * Reads the header, which is the first record that is not blank.
 * @param text the beginning of the file; undefined is returned while it does not hold the whole header.
 * @param delimiter undefined: the one that stands most often in the header.
 * @throws {MillraceError} INPUT_UNREADABLE when there is no header, or it names a column twice or not at all.
 */
export function readCsvHeader(
  text: string,
  isLast: boolean,
  delimiter: string | undefined,
  path: string,
): CsvHeader | undefined {
  if (!text.includes('\n') && !isLast) {
    return undefined;
  }
  const loneReturns = !text.includes('\n') && text.includes('\r');
  const firstLine = text.trimStart().split(/[\r\n]/, 1)[0] ?? '';
  const dialect = { delimiter: delimiter ?? guessDelimiter(firstLine), loneReturns };
  const block = scanBlock(text, isLast, dialect);
  const [header, next] = block.records;
  if (header === undefined) {
    if (!isLast) {
      return undefined;
    }
    throw new MillraceError(
      'INPUT_UNREADABLE',
      `input '${path}' is empty: expected a header line with column names`,
    );
  }
  if (header.unclosed) {
    throw new MillraceError(
      'INPUT_UNREADABLE',
      `the header of '${path}' opens a quote that is closed nowhere`,
    );
  }
  const columns = parseRecord(text, header, dialect);
  if (columns === undefined) {
    throw new MillraceError('INPUT_UNREADABLE', `the header of '${path}' has misplaced quotes`);
  }
  const names = columns.map((cell) => decodeUtf8(cell)?.trim());
  checkColumns(names, path);
  const bytes = next?.start ?? block.consumed;
  return { dialect, columns: names.map((name) => name ?? ''), bytes, lines: next?.line ?? block.lines };
}

function guessDelimiter(line: string): string {
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, count: line.split(delimiter).length }));
  return counts.reduce((best, candidate) => (candidate.count > best.count ? candidate : best)).delimiter;
}

function checkColumns(names: readonly (string | undefined)[], path: string): void {
  for (const [index, name] of names.entries()) {
    if (name === undefined || name === '') {
      throw new MillraceError(
        'INPUT_UNREADABLE',
        `the header of '${path}' has ${name === '' ? 'no name' : 'a name that is not UTF-8'} for column ${index + 1}: ` +
          'name each column, or say --encoding',
      );
    }
    const first = names.indexOf(name);
    if (first !== index) {
      throw new MillraceError(
        'INPUT_UNREADABLE',
        `the header of '${path}' names two columns '${name}', ${first + 1} and ${index + 1}: rename one of them`,
      );
    }
  }
}

/** CSV by RFC 4180, read by papaparse. */
export function createCsvFormat({ dialect, columns }: CsvHeader): RowFormat {
  return {
    scan: (text, isLast) => scanBlock(text, isLast, dialect),
    parse: (text, block, row, line) => parseBlock(text, block, dialect, columns.length, row, line),
  };
}

function scanBlock(text: string, isLast: boolean, dialect: CsvDialect): RecordBlock {
  return text.includes('"')
    ? scanQuotedRecords(text, isLast, dialect.delimiter, dialect.loneReturns)
    : scanLines(text, isLast, dialect.loneReturns);
}

function parseBlock(
  text: string,
  block: RecordBlock,
  dialect: CsvDialect,
  columnCount: number,
  row: number,
  line: number,
): readonly SourceRow[] {
  const parsed = parseRecords(text, block.records, dialect);
  const ascii = isAscii(text);
  return block.records.map((record, index): SourceRow => {
    const place = { row: row + index, line: line + record.line };
    if (record.unclosed) {
      return {
        kind: 'invalid',
        ...place,
        message: 'a quote is opened in this row and closed nowhere behind it',
      };
    }
    const cells = parsed[index];
    if (cells === undefined) {
      return {
        kind: 'invalid',
        ...place,
        message: 'the quotes of this row are misplaced: a quoted field must end at its quote',
      };
    }
    if (cells.length !== columnCount) {
      return {
        kind: 'invalid',
        ...place,
        message: `expected ${columnCount} fields as in the header, got ${cells.length}`,
      };
    }
    return ascii ? { kind: 'cells', ...place, cells } : decodeCells(cells, place);
  });
}

function decodeCells(
  cells: readonly string[],
  place: { readonly row: number; readonly line: number },
): SourceRow {
  const decoded: string[] = [];
  for (const [index, cell] of cells.entries()) {
    const text = decodeUtf8(cell);
    if (text === undefined) {
      return {
        kind: 'invalid',
        ...place,
        message: `field ${index + 1} is not UTF-8: say the right --encoding`,
      };
    }
    decoded.push(text);
  }
  return { kind: 'cells', ...place, cells: decoded };
}

/**
 * The cells of records; of one whose quotes are misplaced, undefined. Without quotes a delimiter is a delimiter, and to
 * divide there takes a third of the time of a parser that looks for quotes.
 */
function parseRecords(
  text: string,
  records: readonly RecordSpan[],
  dialect: CsvDialect,
): readonly (readonly string[] | undefined)[] {
  if (!text.includes('"')) {
    return records.map(({ start, end }) => text.slice(start, end).split(dialect.delimiter));
  }
  const whole = records.filter(({ unclosed }) => !unclosed);
  const together = parseQuoted(
    whole.map(({ start, end }) => text.slice(start, end)).join('\n'),
    whole.length,
    dialect,
  );
  // Papaparse sees other records than the scan did only where quotes are misplaced: then each record is looked at alone.
  return together ?? records.map((record) => parseRecord(text, record, dialect));
}

function parseRecord(
  text: string,
  { start, end }: RecordSpan,
  dialect: CsvDialect,
): readonly string[] | undefined {
  return parseQuoted(text.slice(start, end), 1, dialect)?.[0];
}

function parseQuoted(
  text: string,
  count: number,
  { delimiter }: CsvDialect,
): readonly string[][] | undefined {
  if (count === 0) {
    return [];
  }
  const { data, errors } = Papa.parse<string[]>(text, { delimiter, newline: '\n', header: false });
  return errors.length === 0 && data.length === count ? data : undefined;
}
