import Papa from 'papaparse';
import { elementCount } from '../../tensor/shape.ts';
import { elementToJson } from '../../tensor/tensor-json.ts';
import type { OutputColumn } from '../manifest.ts';
import { outputToJson, rowOf } from './jsonl-results.ts';
import type { ResultFormat, RowParts, RowResult } from './result-format.ts';

export const CSV_RESULTS_FILE = 'results.csv';

const NOTHING = Buffer.alloc(0);

/** Outputs with more values a row than this take one column with a JSON array instead of a column a value. */
const MAX_COLUMNS = 256;

/** How an output lies in the columns of a CSV file. */
export interface CsvColumn {
  readonly output: OutputColumn;
  /** Values a row, each a column; undefined: one column with a JSON array. */
  readonly values: number | undefined;
}

/**
 * RFC 4180 with \n: `input_id`, `row`, the kept columns, then the outputs: `output_<name>` for a single value,
 * `output_<name>_0`, `output_<name>_1` ... for several, one column with a JSON array where their number varies or is above
 * 256. The prefix keeps a label that was kept apart from a label that was inferred.
 */
export function createCsvResults(outputs: readonly OutputColumn[], keep: readonly string[]): ResultFormat {
  const columns = csvColumns(outputs);
  return {
    files: [CSV_RESULTS_FILE],
    formatRows: (results) => [Buffer.from(results.map((result) => formatLine(result, columns)).join(''))],
    header: () => Buffer.from(toLine(csvHeader(columns, keep))),
    splitRows: ([part = NOTHING]) => splitRecords(part),
  };
}

/** The outputs in the order of their columns, which stand behind those of the row itself. */
export function csvColumns(outputs: readonly OutputColumn[]): readonly CsvColumn[] {
  return outputs.map(describeColumn);
}

/** The names of all columns. */
export function csvHeader(columns: readonly CsvColumn[], keep: readonly string[]): readonly string[] {
  return ['input_id', 'row', ...keep, ...columns.flatMap(columnNames)];
}

function describeColumn(output: OutputColumn): CsvColumn {
  const values = output.dims.includes(-1) ? undefined : elementCount(output.dims);
  return { output, values: values !== undefined && values <= MAX_COLUMNS ? values : undefined };
}

function columnNames({ output, values }: CsvColumn): readonly string[] {
  const name = `output_${output.name}`;
  return values === undefined || values === 1
    ? [name]
    : Array.from({ length: values }, (_, index) => `${name}_${index}`);
}

function formatLine({ identity, outputs, index }: RowResult, columns: readonly CsvColumn[]): string {
  const cells = [identity.id, String(identity.row), ...identity.kept.map(({ json }) => cellOfJson(json))];
  for (const { output, values } of columns) {
    const tensor = outputs.get(output.name);
    if (tensor === undefined) {
      continue;
    }
    if (values === undefined) {
      cells.push(outputToJson(tensor, index, output));
    } else {
      const row = rowOf(tensor, index);
      for (let element = 0; element < values; element += 1) {
        cells.push(cellOfJson(elementToJson(row, element)));
      }
    }
  }
  return toLine(cells);
}

/** Text without its quotes; a number as it is. */
function cellOfJson(json: string): string {
  if (!json.startsWith('"')) {
    return json;
  }
  const text: unknown = JSON.parse(json);
  return String(text);
}

function toLine(cells: readonly string[]): string {
  return `${Papa.unparse([[...cells]], { newline: '\n' })}\n`;
}

function splitRecords(part: Buffer): readonly RowParts[] {
  const { data } = Papa.parse<string[]>(part.toString(), {
    delimiter: ',',
    newline: '\n',
    skipEmptyLines: true,
  });
  // What `toLine` wrote, written again by `toLine`, is the same.
  return data.map((cells) => ({ row: Number(cells[1]), parts: [Buffer.from(toLine(cells))] }));
}
