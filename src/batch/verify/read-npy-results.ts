import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { allocateData, assembleTensor } from '../../tensor/create-tensor.ts';
import { countNonFinite } from '../../tensor/non-finite.ts';
import { elementCount } from '../../tensor/shape.ts';
import type { OutputColumn } from '../manifest.ts';
import { NPY_INDEX_FILE, npyFileName, npyRowBytes, readNpyHeader } from '../sink/npy-results.ts';
import { parseObject } from './read-jsonl-results.ts';
import type { ReadResult } from './result-record.ts';

interface NpyArray {
  readonly column: OutputColumn;
  readonly file: FileHandle;
  readonly headerBytes: number;
}

/** @throws {Error} when a file cannot be read, or an array is of another type or shape than declared. */
export async function* readNpyResults(
  outputDir: string,
  outputs: readonly OutputColumn[],
): AsyncGenerator<ReadResult> {
  const arrays: NpyArray[] = [];
  try {
    for (const column of outputs) {
      const path = join(outputDir, npyFileName(column.name));
      const file = await open(path, 'r');
      arrays.push({ column, file, headerBytes: await readNpyHeader(file, path, column) });
    }
    let entry = 0;
    const path = join(outputDir, NPY_INDEX_FILE);
    for await (const line of createInterface({ input: createReadStream(path) })) {
      const { row, input_id: id } = parseObject(line) ?? {};
      if (typeof row !== 'number' || typeof id !== 'string') {
        yield { kind: 'unreadable', message: `line ${entry + 1} of '${path}' names no row` };
      } else {
        yield { kind: 'record', record: { row, id, ...(await readValues(arrays, entry)) } };
      }
      entry += 1;
    }
  } finally {
    await Promise.all(arrays.map(({ file }) => file.close()));
  }
}

async function readValues(
  arrays: readonly NpyArray[],
  entry: number,
): Promise<{ readonly problem: string | undefined; readonly nonFiniteValues: number }> {
  let nonFiniteValues = 0;
  for (const { column, file, headerBytes } of arrays) {
    const data = allocateData(column.datatype, elementCount(column.dims));
    if (!ArrayBuffer.isView(data)) {
      continue;
    }
    const bytes = npyRowBytes(column);
    const { bytesRead } = await file.read(new Uint8Array(data.buffer), 0, bytes, headerBytes + entry * bytes);
    if (bytesRead !== bytes) {
      return { problem: `array '${npyFileName(column.name)}' has no entry ${entry}`, nonFiniteValues };
    }
    nonFiniteValues += countNonFinite(assembleTensor(column.datatype, column.dims, data));
  }
  return { problem: undefined, nonFiniteValues };
}
