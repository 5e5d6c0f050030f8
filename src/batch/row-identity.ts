import { stringify } from 'lossless-json';
import { ValueError } from './mapping/element-writer.ts';
import { fieldOf, type ReadableRow } from './mapping/input-reader.ts';
import type { RowMapping } from './mapping/row-mapping.ts';
import type { KeptValue, RowIdentity } from './row-batch.ts';

/** Fewest digits of a row number in an id made from it. */
const MIN_ID_DIGITS = 5;

/** A number of JSON's grammar: such a cell is written as it stands. */
const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Gives rows their names. */
export interface RowIdentifier {
  /** @throws {ValueError} when the row has no id. */
  identify(row: ReadableRow): RowIdentity;
  /** `rec_00327`: the name by number, which also stands for an id that cannot be read. */
  nameByNumber(row: number): string;
}

/** @param rows of the whole input, which tell how wide the numbers are. */
export function createRowIdentifier(mapping: RowMapping, rows: number): RowIdentifier {
  const width = Math.max(MIN_ID_DIGITS, String(Math.max(0, rows - 1)).length);
  const nameByNumber = (row: number): string => `rec_${String(row).padStart(width, '0')}`;
  const { idColumn, keep, columns } = mapping;
  const idIndex = idColumn === undefined ? -1 : columns.indexOf(idColumn);
  const keepIndexes = keep.map((name) => columns.indexOf(name));
  return {
    nameByNumber,
    identify(row) {
      const id = idColumn === undefined ? nameByNumber(row.row) : idOf(row, idColumn, idIndex);
      const kept = keep.map(
        (name, index): KeptValue => ({
          name,
          json:
            row.kind === 'cells'
              ? cellToJson(row.cells[keepIndexes[index] ?? -1])
              : fieldToJson(row.fields, name),
        }),
      );
      return { row: row.row, line: row.line, id, kept };
    },
  };
}

/** The text of a row's id: `1` and `01` are two ids, the number 1 and the text "1" are one. @throws {ValueError} */
export function idOf(row: ReadableRow, idColumn: string, idIndex: number): string {
  const value = row.kind === 'cells' ? row.cells[idIndex] : fieldOf(row.fields, idColumn);
  if (value === undefined || value === null || value === '' || typeof value === 'object') {
    throw new ValueError(
      `column '${idColumn}': expected an id, got ${typeof value === 'object' && value !== null ? 'an object' : 'nothing'}`,
    );
  }
  return String(value);
}

function cellToJson(cell: string | undefined): string {
  return cell !== undefined && JSON_NUMBER.test(cell) ? cell : JSON.stringify(cell ?? '');
}

function fieldToJson(fields: Readonly<Record<string, unknown>>, name: string): string {
  return stringify(fieldOf(fields, name)) ?? 'null';
}
