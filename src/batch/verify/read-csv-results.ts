import type { Tensor } from '../../tensor/tensor.ts';
import type { JobIdentity } from '../manifest.ts';
import { ValueError } from '../mapping/element-writer.ts';
import { type CsvColumn, csvColumns, csvHeader } from '../sink/csv-results.ts';
import { createCsvFormat } from '../source/csv-format.ts';
import { parseExactJson } from '../source/jsonl-format.ts';
import { readRecords } from './read-records.ts';
import { createValueReader, type ValueReader } from './read-values.ts';
import { type ReadResult, unreadable } from './result-record.ts';

/** @throws {Error} when the file cannot be read. */
export async function* readCsvResults(path: string, identity: JobIdentity): AsyncGenerator<ReadResult> {
  const columns = csvColumns(identity.outputs);
  const header = csvHeader(columns, identity.keep);
  const dialect = { delimiter: ',', loneReturns: false };
  const format = createCsvFormat({ dialect, columns: header, bytes: 0, lines: 0 });
  const readers = columns.map((column) => ({ column, reader: createValueReader(column.output) }));
  for await (const record of readRecords(path, format)) {
    const cells = record.kind === 'cells' ? record.cells : [];
    if (record.row > 0) {
      yield readRecord(cells, 2 + identity.keep.length, readers) ?? unreadable(describe(record.line, path));
    } else if (cells.join() !== header.join()) {
      yield unreadable(`the header of '${path}' is not that of the job`);
    }
  }
}

const describe = (line: number, path: string): string => `line ${line} of '${path}' is no result`;

interface ColumnReader {
  readonly column: CsvColumn;
  readonly reader: ValueReader;
}

/** @param first cell of the outputs. @returns undefined for what is no result. */
function readRecord(
  cells: readonly string[],
  first: number,
  readers: readonly ColumnReader[],
): ReadResult | undefined {
  const [id = '', row = ''] = cells;
  if (!/^\d+$/.test(row)) {
    return undefined;
  }
  const outputs = new Map<string, Tensor>();
  let problem: string | undefined;
  let position = first;
  for (const { column, reader } of readers) {
    const own = cells.slice(position, position + (column.values ?? 1));
    position += own.length;
    try {
      outputs.set(column.output.name, readCells(own, column, reader));
    } catch (error) {
      if (!(error instanceof ValueError)) {
        throw error;
      }
      problem ??= error.message;
    }
  }
  return { kind: 'record', record: { row: Number(row), id, outputs, problem } };
}

/** @throws {ValueError} */
function readCells(cells: readonly string[], { output, values }: CsvColumn, reader: ValueReader): Tensor {
  if (values !== undefined) {
    return reader.fromCells(cells);
  }
  const [text = ''] = cells;
  try {
    return reader.fromJson(parseExactJson(text));
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new ValueError(`output '${output.name}' is no JSON: '${text.slice(0, 40)}'`);
    }
    throw error;
  }
}
