import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { OutputColumn } from '../manifest.ts';
import { checkValue } from './check-value.ts';
import type { ReadResult } from './result-record.ts';

/** @throws {Error} when the file cannot be read. */
export async function* readJsonlResults(
  path: string,
  outputs: readonly OutputColumn[],
): AsyncGenerator<ReadResult> {
  let line = 0;
  for await (const text of createInterface({
    input: createReadStream(path),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    line += 1;
    yield readLine(text, line, path, outputs);
  }
}

function readLine(text: string, line: number, path: string, columns: readonly OutputColumn[]): ReadResult {
  const fields = parseObject(text);
  const { row, input_id: id, outputs } = fields ?? {};
  if (typeof row !== 'number' || typeof id !== 'string' || typeof outputs !== 'object' || outputs === null) {
    return { kind: 'unreadable', message: `line ${line} of '${path}' is no result` };
  }
  const values = new Map<string, unknown>(Object.entries(outputs));
  let problem: string | undefined;
  let nonFiniteValues = 0;
  for (const column of columns) {
    const checked = checkValue(values.get(column.name), column);
    problem ??= checked.problem;
    nonFiniteValues += checked.nonFiniteValues;
    values.delete(column.name);
  }
  const [foreign] = values.keys();
  problem ??= foreign === undefined ? undefined : `output '${foreign}' is not one of the job`;
  return { kind: 'record', record: { row, id, problem, nonFiniteValues } };
}

/** Undefined for what is no JSON object. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
