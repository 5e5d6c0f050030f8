import { createWriteStream } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { errorText, MillraceError } from '../../base/errors.ts';
import { createFileSource } from './file-source.ts';
import { type InputFile, inspectInputFile, readText } from './input-text.ts';
import type { InputFormat, RowSource } from './row-source.ts';
import { surveyInput } from './survey.ts';

export interface InputRequest {
  /** `-` is stdin. */
  readonly inputFile: string;
  /** Undefined: by the name, then by the first character. */
  readonly inputFormat: InputFormat | undefined;
  readonly encoding: string | undefined;
  /** CSV only; undefined: found in the header. */
  readonly delimiter: string | undefined;
  /** Where stdin is kept, since rows are read more than once. */
  readonly spoolDir: string;
  readonly signal?: AbortSignal;
  readonly onNotice: (message: string) => void;
}

/**
 * Opens an input and reads it once through. Stdin is first written to `input.spool` in `spoolDir`.
 * @throws {MillraceError} INPUT_UNREADABLE, USAGE for a delimiter or encoding that cannot be, REQUEST_CANCELLED.
 */
export async function openInput(request: InputRequest): Promise<RowSource> {
  const { delimiter } = request;
  if (delimiter !== undefined && !/^[^"\r\n\u0080-\uffff]$/.test(delimiter)) {
    throw new MillraceError(
      'USAGE',
      `delimiter must be one ASCII character that is no quote, got '${delimiter}'`,
    );
  }
  const path =
    request.inputFile === '-' ? await spoolStdin(request.spoolDir, request.signal) : request.inputFile;
  const file = await inspectInputFile(path, request.encoding);
  const format = request.inputFormat ?? formatOfName(request.inputFile) ?? (await formatOfText(file));
  const result = await surveyInput(file, format, delimiter, request.signal);
  if (result.foundDelimiter !== undefined && result.foundDelimiter !== ',') {
    const shown = result.foundDelimiter === '\t' ? 'a tab' : `'${result.foundDelimiter}'`;
    request.onNotice(`the columns of '${request.inputFile}' are separated by ${shown}, by its header`);
  }
  return createFileSource(file, result);
}

async function spoolStdin(folder: string, signal: AbortSignal | undefined): Promise<string> {
  const path = join(folder, 'input.spool');
  try {
    await mkdir(folder, { recursive: true });
    await pipeline(process.stdin, createWriteStream(`${path}.tmp`), signal === undefined ? {} : { signal });
    await rename(`${path}.tmp`, path);
  } catch (error) {
    if (signal?.aborted) {
      throw new MillraceError('REQUEST_CANCELLED', 'stopped while stdin was read', { cause: error });
    }
    throw new MillraceError('OUTPUT_UNWRITABLE', `stdin cannot be kept in '${path}': ${errorText(error)}`, {
      cause: error,
    });
  }
  return path;
}

const FORMAT_BY_EXTENSION: Readonly<Record<string, InputFormat>> = {
  csv: 'csv',
  tsv: 'csv',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
};

function formatOfName(path: string): InputFormat | undefined {
  const extension = /\.([^./]+?)(?:\.gz)?$/i.exec(path)?.[1] ?? '';
  return FORMAT_BY_EXTENSION[extension.toLowerCase()];
}

/** JSON Lines begin with a brace, whatever the name says; everything else is taken for CSV. */
async function formatOfText(file: InputFile): Promise<InputFormat> {
  for await (const chunk of readText(file, 0)) {
    const text = chunk.toString('latin1').trimStart();
    if (text !== '') {
      return text.startsWith('{') ? 'jsonl' : 'csv';
    }
  }
  throw new MillraceError('INPUT_UNREADABLE', `input '${file.path}' is empty`);
}
