import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { allocateData, assembleTensor } from '../../tensor/create-tensor.ts';
import { elementCount } from '../../tensor/shape.ts';
import { sliceRows } from '../../tensor/split.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import type { OutputColumn } from '../manifest.ts';
import {
  NPY_INDEX_FILE,
  type NpyHeader,
  npyFileName,
  npyRowBytes,
  readNpyHeader,
} from '../sink/npy-results.ts';
import { jsonlFormat } from '../source/jsonl-format.ts';
import { readRecords } from './read-records.ts';
import { type ReadResult, unreadable } from './result-record.ts';

const BLOCK_BYTES = 1 << 20;

/** @throws {Error} when a file cannot be read, or an array is of another type or shape than declared. */
export async function* readNpyResults(
  outputDir: string,
  outputs: readonly OutputColumn[],
): AsyncGenerator<ReadResult> {
  const arrays: NpyArray[] = [];
  try {
    for (const output of outputs) {
      arrays.push(await openNpyArray(join(outputDir, npyFileName(output.name)), output));
    }
    const path = join(outputDir, NPY_INDEX_FILE);
    let entries = 0;
    for await (const line of readRecords(path, jsonlFormat)) {
      const { row, input_id: id } = line.kind === 'fields' ? line.fields : {};
      if (typeof row !== 'number' || typeof id !== 'string') {
        yield unreadable(`line ${line.line} of '${path}' names no row`);
      } else {
        yield { kind: 'record', record: { row, id, ...(await readEntry(arrays, entries)) } };
      }
      entries += 1;
    }
    for (const array of arrays.filter(({ rows }) => rows !== entries)) {
      yield unreadable(
        `'${array.path}' has ${array.rows} entries, expected ${entries} as '${path}' has lines`,
      );
    }
  } finally {
    await Promise.all(arrays.map((array) => array.close()));
  }
}

async function readEntry(
  arrays: readonly NpyArray[],
  entry: number,
): Promise<{ readonly outputs: ReadonlyMap<string, Tensor>; readonly problem: string | undefined }> {
  const outputs = new Map<string, Tensor>();
  let problem: string | undefined;
  for (const array of arrays) {
    const value = await array.read(entry);
    if (value === undefined) {
      problem ??= `array '${array.path}' has no entry ${entry}`;
    } else {
      outputs.set(array.output.name, value);
    }
  }
  return { outputs, problem };
}

/** @throws {Error} when the file cannot be read; {MillraceError} OUTPUT_CORRUPT when it is no array of the output. */
async function openNpyArray(path: string, output: OutputColumn): Promise<NpyArray> {
  const file = await open(path, 'r');
  try {
    return new NpyArray(path, output, file, await readNpyHeader(file, path, output));
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** An array on disk, read in blocks. */
class NpyArray {
  readonly path: string;
  readonly output: OutputColumn;
  /** Entries, by its header. */
  readonly rows: number;
  readonly #file: FileHandle;
  readonly #headerBytes: number;
  readonly #blockRows: number;
  #block: Tensor | undefined;
  #blockStart = 0;

  constructor(path: string, output: OutputColumn, file: FileHandle, header: NpyHeader) {
    this.path = path;
    this.output = output;
    this.rows = header.rows;
    this.#file = file;
    this.#headerBytes = header.bytes;
    this.#blockRows = Math.max(1, Math.floor(BLOCK_BYTES / Math.max(1, npyRowBytes(output))));
  }

  /** The value of an entry, of the shape of one row; undefined behind the end. Cheapest for rising entries. */
  async read(entry: number): Promise<Tensor | undefined> {
    const start = entry - (entry % this.#blockRows);
    if (this.#block === undefined || start !== this.#blockStart) {
      this.#block = await this.#readBlock(start);
      this.#blockStart = start;
    }
    const index = entry - start;
    const [rows = 0] = this.#block.shape;
    if (index >= rows) {
      return undefined;
    }
    const { datatype, data } = sliceRows(this.#block, index, index + 1);
    return assembleTensor(datatype, this.output.dims, data);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #readBlock(start: number): Promise<Tensor> {
    const { datatype, dims } = this.output;
    const rowBytes = npyRowBytes(this.output);
    const data = allocateData(datatype, this.#blockRows * elementCount(dims));
    let rows = this.#blockRows;
    if (ArrayBuffer.isView(data) && rowBytes > 0) {
      const position = this.#headerBytes + start * rowBytes;
      const { bytesRead } = await this.#file.read(new Uint8Array(data.buffer), 0, data.byteLength, position);
      rows = Math.floor(bytesRead / rowBytes);
    }
    return sliceRows(assembleTensor(datatype, [this.#blockRows, ...dims], data), 0, rows);
  }
}
