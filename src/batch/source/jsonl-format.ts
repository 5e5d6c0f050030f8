import { isLosslessNumber, parse as parseLossless } from 'lossless-json';
import { errorText } from '../../base/errors.ts';
import { scanLines } from './line-scanner.ts';
import type { RecordSpan, RowFormat } from './row-format.ts';
import type { SourceRow } from './row-source.ts';
import { decodeUtf8 } from './utf8-cell.ts';

/** Integers of so many digits may be beyond what a double holds exactly. */
const LONG_INTEGER = /(?<![\d.])-?\d{16,}(?![\d.eE])/;

/** JSON Lines: a JSON object a line. */
export const jsonlFormat: RowFormat = {
  scan: (text, isLast) => scanLines(text, isLast, false),
  parse: (text, block, row, line) =>
    block.records.map((record, index) => parseLine(text, record, row + index, line)),
};

function parseLine(text: string, record: RecordSpan, row: number, firstLine: number): SourceRow {
  const place = { row, line: firstLine + record.line };
  const json = decodeUtf8(text.slice(record.start, record.end));
  if (json === undefined) {
    return { kind: 'invalid', ...place, message: 'the line is not UTF-8: say the right --encoding' };
  }
  try {
    const value = parseExactJson(json);
    return isObject(value)
      ? { kind: 'fields', ...place, fields: value }
      : { kind: 'invalid', ...place, message: `expected a JSON object, got ${describe(value)}` };
  } catch (error) {
    return { kind: 'invalid', ...place, message: `the line is not JSON: ${errorText(error)}` };
  }
}

/** The value of a JSON text, with bigints for integers that a number would not hold. @throws {SyntaxError} */
export function parseExactJson(json: string): unknown {
  return LONG_INTEGER.test(json) ? parseLossless(json, reviveInteger) : JSON.parse(json);
}

/** A bigint where a number would lose digits, else the number. */
export function reviveInteger(_key: string, value: unknown): unknown {
  if (!isLosslessNumber(value)) {
    return value;
  }
  const text = value.toString();
  const number = Number(text);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? BigInt(text) : number;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describe(value: unknown): string {
  if (value === null) {
    return 'null';
  }
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
