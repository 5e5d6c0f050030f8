import { assembleTensor } from '../../tensor/create-tensor.ts';
import { sliceRows } from '../../tensor/split.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import { tensorRowToJson } from '../../tensor/tensor-json.ts';
import type { OutputColumn } from '../manifest.ts';
import type { ResultFormat, RowParts, RowResult } from './result-format.ts';

export const JSONL_RESULTS_FILE = 'results.jsonl';

const NOTHING = Buffer.alloc(0);

/**
 * One JSON object a line: `input_id`, `row`, the kept columns, `outputs`. Every line is strict JSON: NaN and infinities
 * are strings.
 */
export function createJsonlResults(columns: readonly OutputColumn[]): ResultFormat {
  const keys = columns.map((column) => ({ column, json: `${JSON.stringify(column.name)}:` }));
  return {
    files: [JSONL_RESULTS_FILE],
    formatRows: (results) => {
      let text = '';
      for (const result of results) {
        text += formatLine(result, keys);
      }
      return [Buffer.from(text)];
    },
    header: () => NOTHING,
    splitRows: ([part = NOTHING]) => splitLines(part),
  };
}

interface OutputKey {
  readonly column: OutputColumn;
  /** The name as a JSON key, colon included. */
  readonly json: string;
}

function formatLine({ identity, outputs, index }: RowResult, keys: readonly OutputKey[]): string {
  let text = `{"input_id":${JSON.stringify(identity.id)},"row":${identity.row},`;
  for (const { name, json } of identity.kept) {
    text += `${JSON.stringify(name)}:${json},`;
  }
  text += '"outputs":{';
  let separator = '';
  for (const { column, json } of keys) {
    const tensor = outputs.get(column.name);
    if (tensor !== undefined) {
      text += separator + json + outputToJson(tensor, index, column);
      separator = ',';
    }
  }
  return `${text}}}\n`;
}

/** JSON text of a row's output; where rows differ in size, always an array. @param index as in `RowResult`. */
export function outputToJson(tensor: Tensor, index: number, { dims }: OutputColumn): string {
  const unwraps = !dims.includes(-1);
  return index === -1
    ? tensorRowToJson(asOneRow(tensor), 0, unwraps)
    : tensorRowToJson(tensor, index, unwraps);
}

/** An output without a batch dimension as a batch of one row. */
function asOneRow(tensor: Tensor): Tensor {
  return assembleTensor(tensor.datatype, [1, ...tensor.shape], tensor.data);
}

/** One row of an output, with a batch dimension of 1. @param index as in `RowResult`. */
export function rowOf(tensor: Tensor, index: number): Tensor {
  return index === -1 ? asOneRow(tensor) : sliceRows(tensor, index, index + 1);
}

/** Lines of JSON objects that have a `row`. */
export function splitLines(part: Buffer): readonly RowParts[] {
  const rows: RowParts[] = [];
  let start = 0;
  for (let end = part.indexOf(10); end !== -1; end = part.indexOf(10, start)) {
    const line = part.subarray(start, end + 1);
    const { row }: { row: number } = JSON.parse(line.toString());
    rows.push({ row, parts: [line] });
    start = end + 1;
  }
  return rows;
}
