import { createReadStream } from 'node:fs';
import Papa from 'papaparse';
import type { JobIdentity } from '../manifest.ts';
import { csvColumns } from '../sink/csv-results.ts';
import { checkValue } from './check-value.ts';
import type { ReadResult } from './result-record.ts';

/** @throws {Error} when the file cannot be read. */
export async function* readCsvResults(path: string, identity: JobIdentity): AsyncGenerator<ReadResult> {
  const columns = csvColumns(identity.outputs);
  const width = 2 + identity.keep.length + columns.reduce((sum, { values }) => sum + (values ?? 1), 0);
  let isHeader = true;
  const parser = createReadStream(path).pipe(
    Papa.parse(Papa.NODE_STREAM_INPUT, { delimiter: ',', newline: '\n' }),
  );
  for await (const cells of parser as AsyncIterable<string[]>) {
    if (!isHeader) {
      yield readRecord(cells, width, columns, identity, path);
    }
    isHeader = false;
  }
}

function readRecord(
  cells: readonly string[],
  width: number,
  columns: ReturnType<typeof csvColumns>,
  identity: JobIdentity,
  path: string,
): ReadResult {
  const [id = '', row = ''] = cells;
  if (cells.length !== width || !/^\d+$/.test(row)) {
    return {
      kind: 'unreadable',
      message: `'${path}' has a record of ${cells.length} fields that is no result: '${id}'`,
    };
  }
  let position = 2 + identity.keep.length;
  let problem: string | undefined;
  let nonFiniteValues = 0;
  for (const { output, values } of columns) {
    const own = cells.slice(position, position + (values ?? 1));
    position += own.length;
    const value =
      values === undefined
        ? parseCell(own[0] ?? '', 'array')
        : own.map((cell) => parseCell(cell, output.datatype));
    // Columns hold the values of a row one by one, whatever its shape.
    const checked = checkValue(value, values === undefined ? output : { ...output, dims: [values] });
    problem ??= checked.problem;
    nonFiniteValues += checked.nonFiniteValues;
  }
  return { kind: 'record', record: { row: Number(row), id, problem, nonFiniteValues } };
}

function parseCell(cell: string, datatype: string): unknown {
  if (datatype === 'BYTES') {
    return cell;
  }
  try {
    return JSON.parse(cell);
  } catch {
    // NaN and infinities stand without quotes in CSV.
    return cell;
  }
}
