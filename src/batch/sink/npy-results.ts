/**
 * Results as NumPy arrays: one `.npy` an output, and `index.jsonl`, whose line i says which row entry i of the arrays is.
 * @see https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 */
import type { FileHandle } from 'node:fs/promises';
import { MillraceError } from '../../base/errors.ts';
import { DATATYPES, type Datatype } from '../../tensor/datatype.ts';
import { elementCount, formatShape } from '../../tensor/shape.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import type { OutputColumn } from '../manifest.ts';
import { rowOf, splitLines } from './jsonl-results.ts';
import type { ResultFormat, RowParts, RowResult } from './result-format.ts';

export const NPY_INDEX_FILE = 'index.jsonl';

/** Type strings of NumPy, little-endian; BF16 and BYTES have none. */
const NPY_TYPES: Partial<Record<Datatype, string>> = {
  BOOL: '|b1',
  UINT8: '|u1',
  UINT16: '<u2',
  UINT32: '<u4',
  UINT64: '<u8',
  INT8: '|i1',
  INT16: '<i2',
  INT32: '<i4',
  INT64: '<i8',
  FP16: '<f2',
  FP32: '<f4',
  FP64: '<f8',
};

const MAGIC = Buffer.from('\u0093NUMPY\u0001\u0000', 'latin1');
const ALIGNMENT = 64;

/** @throws {MillraceError} USAGE for outputs that an array cannot hold. */
export function createNpyResults(outputs: readonly OutputColumn[]): ResultFormat {
  for (const { name, datatype, dims } of outputs) {
    if (NPY_TYPES[datatype] === undefined || dims.includes(-1)) {
      throw new MillraceError(
        'USAGE',
        `output '${name}' is ${datatype} ${formatShape(dims)}, which an .npy file cannot hold: take another --output-format, ` +
          'or name other outputs with --outputs',
      );
    }
  }
  const files = outputs.map(({ name }) => npyFileName(name));
  const shared = files.find((file, index) => files.indexOf(file) !== index);
  if (shared !== undefined) {
    throw new MillraceError(
      'USAGE',
      `two outputs would be written to '${shared}': take another --output-format, or name one of them with --outputs`,
    );
  }
  return {
    files: [NPY_INDEX_FILE, ...files],
    formatRows: (results) => [formatIndex(results), ...outputs.map((output) => formatArray(results, output))],
    header: (file, rows) => {
      const output = outputs[files.indexOf(file)];
      return output === undefined ? Buffer.alloc(0) : npyHeader(output, rows);
    },
    splitRows: ([index = Buffer.alloc(0), ...arrays]) =>
      splitLines(index).map(({ row, parts }, entry): RowParts => {
        const values = arrays.map((array, position) => {
          const output = outputs[position];
          const bytes = output === undefined ? 0 : npyRowBytes(output);
          return array.subarray(entry * bytes, (entry + 1) * bytes);
        });
        return { row, parts: [...parts, ...values] };
      }),
  };
}

/** The file of an output; what a file name cannot hold becomes `_`. */
export function npyFileName(output: string): string {
  return `${output.replaceAll(/[^\w.-]/g, '_')}.npy`;
}

/** Bytes of one row in the array of an output. */
export function npyRowBytes(output: OutputColumn): number {
  return elementCount(output.dims) * (DATATYPES[output.datatype].bytes ?? 0);
}

function formatIndex(results: readonly RowResult[]): Buffer {
  const lines = results.map(({ identity: { id, row, kept } }) => {
    const columns = kept.map(({ name, json }) => `,${JSON.stringify(name)}:${json}`).join('');
    return `{"input_id":${JSON.stringify(id)},"row":${row}${columns}}\n`;
  });
  return Buffer.from(lines.join(''));
}

function formatArray(results: readonly RowResult[], { name }: OutputColumn): Buffer {
  return Buffer.concat(
    results.flatMap(({ outputs, index }) => {
      const tensor = outputs.get(name);
      return tensor === undefined ? [] : [bytesOf(rowOf(tensor, index))];
    }),
  );
}

function bytesOf({ data }: Tensor): Buffer {
  return ArrayBuffer.isView(data)
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    : Buffer.alloc(0);
}

function npyHeader({ datatype, dims }: OutputColumn, rows: number): Buffer {
  // One value a row makes a plain list of numbers, as everywhere in the results.
  const shape = dims.every((dim) => dim === 1) ? [rows] : [rows, ...dims];
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`;
  const description = `{'descr': '${NPY_TYPES[datatype]}', 'fortran_order': False, 'shape': ${tuple}, }`;
  const unpadded = MAGIC.length + 2 + description.length + 1;
  const padding = ' '.repeat((ALIGNMENT - (unpadded % ALIGNMENT)) % ALIGNMENT);
  const text = `${description}${padding}\n`;
  const length = Buffer.alloc(2);
  length.writeUInt16LE(text.length);
  return Buffer.concat([MAGIC, length, Buffer.from(text, 'latin1')]);
}

/** What the header of an array says beyond its declaration. */
export interface NpyHeader {
  /** Its own size: the first row lies behind it. */
  readonly bytes: number;
  readonly rows: number;
}

/**
 * Reads the header of an array and holds it against the declaration of its output.
 * @throws {MillraceError} OUTPUT_CORRUPT
 */
export async function readNpyHeader(
  file: FileHandle,
  path: string,
  output: OutputColumn,
): Promise<NpyHeader> {
  const prefix = Buffer.alloc(MAGIC.length + 2);
  await file.read(prefix, 0, prefix.length, 0);
  const length = prefix.readUInt16LE(MAGIC.length);
  const text = Buffer.alloc(length);
  await file.read(text, 0, length, prefix.length);
  const rows = Number(/'shape': \((\d+)/.exec(text.toString('latin1'))?.[1] ?? -1);
  const expected = npyHeader(output, rows);
  if (!Buffer.concat([prefix, text]).equals(expected)) {
    throw new MillraceError(
      'OUTPUT_CORRUPT',
      `'${path}' is no array of ${output.datatype} ${formatShape(output.dims)} a row`,
    );
  }
  return { bytes: expected.length, rows };
}
