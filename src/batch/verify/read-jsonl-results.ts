import type { Tensor } from '../../tensor/tensor.ts';
import type { OutputColumn } from '../manifest.ts';
import { ValueError } from '../mapping/element-writer.ts';
import { jsonlFormat } from '../source/jsonl-format.ts';
import type { SourceRow } from '../source/row-source.ts';
import { readRecords } from './read-records.ts';
import { createValueReader, type ValueReader } from './read-values.ts';
import { type ReadResult, unreadable } from './result-record.ts';

/** @throws {Error} when the file cannot be read. */
export async function* readJsonlResults(
  path: string,
  outputs: readonly OutputColumn[],
): AsyncGenerator<ReadResult> {
  const readers = outputs.map(createValueReader);
  for await (const line of readRecords(path, jsonlFormat)) {
    yield readLine(line, path, readers);
  }
}

function readLine(line: SourceRow, path: string, readers: readonly ValueReader[]): ReadResult {
  const { row, input_id: id, outputs } = line.kind === 'fields' ? line.fields : {};
  if (typeof row !== 'number' || typeof id !== 'string' || typeof outputs !== 'object' || outputs === null) {
    return unreadable(`line ${line.line} of '${path}' is no result`);
  }
  return { kind: 'record', record: { row, id, ...readOutputs(new Map(Object.entries(outputs)), readers) } };
}

/** @param values by output, as JSON holds them. */
function readOutputs(
  values: ReadonlyMap<string, unknown>,
  readers: readonly ValueReader[],
): { readonly outputs: ReadonlyMap<string, Tensor>; readonly problem: string | undefined } {
  const outputs = new Map<string, Tensor>();
  let problem: string | undefined;
  for (const reader of readers) {
    const { name } = reader.output;
    try {
      outputs.set(name, reader.fromJson(values.get(name)));
    } catch (error) {
      if (!(error instanceof ValueError)) {
        throw error;
      }
      problem ??= error.message;
    }
  }
  const foreign = [...values.keys()].find((name) => readers.every(({ output }) => output.name !== name));
  problem ??= foreign === undefined ? undefined : `output '${foreign}' is not one of the job`;
  return { outputs, problem };
}
