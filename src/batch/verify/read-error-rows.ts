import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { ERRORS_FILE } from '../manifest.ts';
import { jsonlFormat } from '../source/jsonl-format.ts';
import { readRecords } from './read-records.ts';
import { type ReadResult, unreadable } from './result-record.ts';

/**
 * The rows of errors.jsonl, as records without outputs; none where there is no such file.
 * @throws {Error} when it is there and cannot be read.
 */
export async function* readErrorRows(outputDir: string): AsyncGenerator<ReadResult> {
  const path = join(outputDir, ERRORS_FILE);
  if (!(await exists(path))) {
    return;
  }
  for await (const line of readRecords(path, jsonlFormat)) {
    const { row, input_id: id } = line.kind === 'fields' ? line.fields : {};
    yield typeof row === 'number' && typeof id === 'string'
      ? { kind: 'record', record: { row, id, outputs: new Map(), problem: undefined } }
      : unreadable(`line ${line.line} of '${path}' is no error of a row`);
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
