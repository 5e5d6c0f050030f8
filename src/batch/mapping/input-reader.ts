import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parse as parseLossless } from 'lossless-json';
import { errorText } from '../../base/errors.ts';
import type { TensorMetadata } from '../../client/infer-client.ts';
import { formatShape, type Shape } from '../../tensor/shape.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import { reviveInteger } from '../source/jsonl-format.ts';
import type { SourceRow } from '../source/row-source.ts';
import { createElementWriter, type ElementWriter, ValueError } from './element-writer.ts';
import { type FlatValue, flattenValue } from './json-value.ts';
import type { InputMapping, RowMapping } from './row-mapping.ts';

/** A row that could be read. */
export type ReadableRow = Exclude<SourceRow, { readonly kind: 'invalid' }>;

/** Reads the value of one input out of rows. */
export interface InputReader {
  readonly input: TensorMetadata;
  /** Shape of every row, where all rows have the same; undefined where each has its own. */
  readonly fixedShape: Shape | undefined;
  /** Reads what lies outside of the row. @throws {ValueError} */
  readonly prepare: ((row: ReadableRow) => Promise<void>) | undefined;
  /** Shape of this row's value. @throws {ValueError} */
  shapeOf(row: ReadableRow): Shape;
  /** Writes this row's value from `offset` on. @throws {ValueError} naming column, expected and found. */
  write(row: ReadableRow, data: Tensor['data'], offset: number): void;
}

/** @param allowNonFinite NaN and infinities are values of floats. */
export function createInputReader(
  mapping: InputMapping,
  rowMapping: RowMapping,
  allowNonFinite: boolean,
): InputReader {
  switch (mapping.kind) {
    case 'columns':
      return createColumnsReader(mapping.input, mapping.columns, rowMapping, allowNonFinite);
    case 'column':
      return createColumnReader(mapping.input, mapping.column, rowMapping, allowNonFinite);
    case 'file':
      return createFileReader(mapping.input, mapping.column, rowMapping);
  }
}

interface Writers {
  readonly text: ElementWriter;
  readonly json: ElementWriter;
}

function createWriters({ datatype }: TensorMetadata, allowNonFinite: boolean): Writers {
  return {
    text: createElementWriter(datatype, true, allowNonFinite),
    json: createElementWriter(datatype, false, allowNonFinite),
  };
}

function createColumnsReader(
  input: TensorMetadata,
  columns: readonly string[],
  rowMapping: RowMapping,
  allowNonFinite: boolean,
): InputReader {
  const writers = createWriters(input, allowNonFinite);
  const cellIndexes = columns.map((column) => rowMapping.columns.indexOf(column));
  const known = input.dims.reduce((product, dim) => (dim === -1 ? product : product * dim), 1);
  const shape = input.dims.map((dim) => (dim === -1 ? columns.length / known : dim));
  return {
    input,
    fixedShape: shape,
    prepare: undefined,
    shapeOf: () => shape,
    write(row, data, offset) {
      let index = 0;
      try {
        if (row.kind === 'cells') {
          for (; index < cellIndexes.length; index += 1) {
            writers.text(data, offset + index, row.cells[cellIndexes[index] ?? -1]);
          }
        } else {
          for (; index < columns.length; index += 1) {
            writers.json(data, offset + index, fieldOf(row.fields, columns[index] ?? ''));
          }
        }
      } catch (error) {
        throw inColumn(columns[index] ?? '', error);
      }
    },
  };
}

function createColumnReader(
  input: TensorMetadata,
  column: string,
  rowMapping: RowMapping,
  allowNonFinite: boolean,
): InputReader {
  const writers = createWriters(input, allowNonFinite);
  const cellIndex = rowMapping.columns.indexOf(column);
  const isSingle = input.dims.every((dim) => dim === 1);
  const fixedShape = input.dims.includes(-1) ? undefined : input.dims;
  // The shape is asked for before the value: what was read for the one serves the other.
  let lastRow: ReadableRow | undefined;
  let lastValue: FlatValue = { shape: [], elements: [] };
  const readValue = (row: ReadableRow): FlatValue => {
    if (row !== lastRow) {
      lastValue = flattenValue(jsonOf(row, column, cellIndex, input), input.dims);
      lastRow = row;
    }
    return lastValue;
  };
  return {
    input,
    fixedShape,
    prepare: undefined,
    shapeOf(row) {
      try {
        return fixedShape ?? readValue(row).shape;
      } catch (error) {
        throw inColumn(column, error);
      }
    },
    write(row, data, offset) {
      try {
        if (row.kind === 'cells' && isPlainCell(row.cells[cellIndex], isSingle, input)) {
          writers.text(data, offset, row.cells[cellIndex]);
          return;
        }
        for (const [index, element] of readValue(row).elements.entries()) {
          writers.json(data, offset + index, element);
        }
      } catch (error) {
        throw inColumn(column, error);
      }
    },
  };
}

/** True for a cell that is the value itself, not a JSON array. Text is taken as it is, brackets or not. */
function isPlainCell(cell: string | undefined, isSingle: boolean, input: TensorMetadata): boolean {
  return isSingle && (input.datatype === 'BYTES' || !cell?.trimStart().startsWith('['));
}

function jsonOf(row: ReadableRow, column: string, cellIndex: number, input: TensorMetadata): unknown {
  if (row.kind === 'fields') {
    return fieldOf(row.fields, column);
  }
  const cell = row.cells[cellIndex] ?? '';
  if (!cell.trimStart().startsWith('[')) {
    throw new ValueError(
      `expected a JSON array of shape ${formatShape(input.dims)}, got '${cell.slice(0, 40)}'`,
    );
  }
  try {
    return parseLossless(cell, reviveInteger);
  } catch (error) {
    throw new ValueError(`expected a JSON array, but it cannot be read: ${errorText(error)}`);
  }
}

function createFileReader(input: TensorMetadata, column: string, rowMapping: RowMapping): InputReader {
  const cellIndex = rowMapping.columns.indexOf(column);
  const shape = input.dims.map(() => 1);
  let content: Uint8Array = new Uint8Array();
  return {
    input,
    fixedShape: shape,
    async prepare(row) {
      const path = row.kind === 'cells' ? row.cells[cellIndex] : fieldOf(row.fields, column);
      if (typeof path !== 'string' || path === '') {
        throw new ValueError(`column '${column}': expected the path of a file, got nothing`);
      }
      try {
        content = await readFile(resolve(rowMapping.baseDir, path));
      } catch (error) {
        throw new ValueError(`column '${column}': the file '${path}' cannot be read: ${errorText(error)}`);
      }
    },
    shapeOf: () => shape,
    write(_row, data, offset) {
      (data as Uint8Array[])[offset] = content;
    },
  };
}

/** A field of a parsed object, never of its prototype. */
export function fieldOf(fields: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function inColumn(column: string, error: unknown): unknown {
  return error instanceof ValueError ? new ValueError(`column '${column}': ${error.message}`) : error;
}
