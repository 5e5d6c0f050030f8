import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBlocks } from '../source/block-reader.ts';
import { createCsvFormat, readCsvHeader } from '../source/csv-format.ts';
import { jsonlFormat } from '../source/jsonl-format.ts';
import { type InputRequest, openInput } from '../source/open-input.ts';
import type { InputSurvey, SourceRow } from '../source/row-source.ts';

/** A text in pieces of a size, as a slow disk may give it. */
async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) {
    yield bytes.subarray(start, start + size);
  }
}

/** The rows of a CSV text that comes in pieces of `size` bytes. */
export async function readCsvRows(text: string | Buffer, size: number): Promise<readonly SourceRow[]> {
  const bytes = Buffer.from(text);
  const header = readCsvHeader(bytes.toString('latin1'), true, undefined, 'test.csv');
  if (header === undefined) {
    throw new Error('no header');
  }
  const start = { row: 0, offset: header.bytes, line: header.lines + 1 };
  const format = createCsvFormat(header);
  return collect(readBlocks(inPieces(bytes.subarray(header.bytes), size), format, start), format);
}

/** The rows of a JSON Lines text that comes in pieces of `size` bytes. */
export async function readJsonlRows(text: string | Buffer, size: number): Promise<readonly SourceRow[]> {
  const start = { row: 0, offset: 0, line: 1 };
  return collect(readBlocks(inPieces(Buffer.from(text), size), jsonlFormat, start), jsonlFormat);
}

async function collect(
  blocks: ReturnType<typeof readBlocks>,
  format: typeof jsonlFormat,
): Promise<readonly SourceRow[]> {
  const rows: SourceRow[] = [];
  for await (const { text, block, place } of blocks) {
    rows.push(...format.parse(text, block, place.row, place.line));
  }
  return rows;
}

/** What a whole input file holds, read as a job reads it. */
export interface ReadInput {
  readonly survey: InputSurvey;
  readonly rows: readonly SourceRow[];
  readonly notices: readonly string[];
}

/** Writes an input file, opens it as a job does, and reads all of it. */
export async function readInput(
  name: string,
  content: string | Buffer,
  options: Partial<Pick<InputRequest, 'encoding' | 'delimiter' | 'inputFormat'>> = {},
): Promise<ReadInput> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-input-'));
  const path = join(folder, name);
  writeFileSync(path, content);
  const notices: string[] = [];
  try {
    const source = await openInput({
      inputFile: path,
      inputFormat: undefined,
      encoding: undefined,
      delimiter: undefined,
      ...options,
      spoolDir: folder,
      onNotice: (message) => notices.push(message),
    });
    const rows: SourceRow[] = [];
    for await (const some of source.readRows(0, source.survey.rows)) {
      rows.push(...some);
    }
    await source.close();
    return { survey: source.survey, rows, notices };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The cells of rows, or the message of those that are invalid. */
export function cellsOf(rows: readonly SourceRow[]): unknown[] {
  return rows.map((row) =>
    row.kind === 'cells' ? row.cells : row.kind === 'fields' ? row.fields : row.message,
  );
}
