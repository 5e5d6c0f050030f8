/**
 * The text of an input file as bytes of UTF-8 without a byte order mark, whatever the file's own form: plain, gzip, UTF-16
 * or any encoding of the WHATWG standard. Plain UTF-8 passes unchecked, so that a bad byte is the fault of its row.
 */
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { errorText, MillraceError, systemErrorCode } from '../../base/errors.ts';

/** Read at once: each read wakes another thread, which takes longer than the reading. */
const READ_BYTES = 1 << 20;

/** Handed out at once: few enough that the rows of a chunk do not hold up the event loop. */
const CHUNK_BYTES = 64 << 10;

/** What was found at the beginning of the file. */
export interface InputFile {
  readonly path: string;
  readonly gzip: boolean;
  /** Label of the WHATWG encoding standard. */
  readonly encoding: string;
  /** Bytes of the byte order mark of a plain UTF-8 file. */
  readonly markBytes: number;
  /** To see that the file is still the same. */
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** Told every chunk of the file as it lies on disk. */
export type RawListener = (chunk: Buffer) => void;

/**
 * @param encoding undefined: UTF-8, or UTF-16 where a byte order mark says so.
 * @throws {MillraceError} INPUT_UNREADABLE; USAGE for an encoding that is not known.
 */
export async function inspectInputFile(path: string, encoding: string | undefined): Promise<InputFile> {
  if (encoding !== undefined && !isKnownEncoding(encoding)) {
    throw new MillraceError(
      'USAGE',
      `encoding '${encoding}' is not known: expected a label like 'utf-8' or 'latin1'`,
    );
  }
  try {
    const facts = await stat(path);
    if (facts.isDirectory()) {
      throw new MillraceError('INPUT_UNREADABLE', `input '${path}' is a folder: name a file in it`);
    }
    const head = await readHead(path);
    const gzip = head[0] === 0x1f && head[1] === 0x8b;
    const marked = gzip ? undefined : encodingOfMark(head);
    return {
      path,
      gzip,
      encoding: encoding ?? marked ?? 'utf-8',
      markBytes: !gzip && marked === 'utf-8' ? 3 : 0,
      bytes: facts.size,
      modifiedMs: facts.mtimeMs,
    };
  } catch (error) {
    throw toInputError(error, path);
  }
}

/**
 * The text from byte `offset` of it on, in chunks of at most about 64 KiB. Only a plain UTF-8 file can be entered in the
 * middle; of any other the part before is read and dropped.
 * @throws {MillraceError} INPUT_UNREADABLE when the file has changed since it was inspected, is cut short, or has bytes
 *   that its encoding does not allow.
 */
export async function* readText(
  file: InputFile,
  offset: number,
  onRaw?: RawListener,
): AsyncGenerator<Buffer> {
  await checkUnchanged(file);
  try {
    if (isPlain(file)) {
      yield* readRaw(
        file.path,
        file.markBytes + offset,
        onRaw,
        file.markBytes > 0 && offset === 0 ? file.markBytes : 0,
      );
      return;
    }
    let toDrop = offset;
    for await (const chunk of decode(file, decompress(file, readRaw(file.path, 0, onRaw, 0)))) {
      const dropped = Math.min(toDrop, chunk.length);
      toDrop -= dropped;
      if (dropped < chunk.length) {
        yield chunk.subarray(dropped);
      }
    }
  } catch (error) {
    throw toInputError(error, file.path);
  }
}

function isPlain(file: InputFile): boolean {
  return !file.gzip && isUtf8(file.encoding);
}

function isUtf8(encoding: string): boolean {
  return new TextDecoder(encoding).encoding === 'utf-8';
}

/** @param heard bytes before `start` that the listener still has to hear. */
async function* readRaw(
  path: string,
  start: number,
  onRaw: RawListener | undefined,
  heard: number,
): AsyncGenerator<Buffer> {
  if (heard > 0 && onRaw !== undefined) {
    onRaw((await readHead(path)).subarray(0, heard));
  }
  for await (const chunk of createReadStream(path, { start, highWaterMark: READ_BYTES })) {
    onRaw?.(chunk);
    for (let start = 0; start < chunk.length; start += CHUNK_BYTES) {
      yield chunk.subarray(start, start + CHUNK_BYTES);
    }
  }
}

async function* decompress(file: InputFile, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (!file.gzip) {
    yield* chunks;
    return;
  }
  const source = Readable.from(chunks);
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  source.on('error', (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  try {
    for await (const chunk of gunzip) {
      yield chunk;
    }
  } finally {
    source.destroy();
  }
}

async function* decode(file: InputFile, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (isUtf8(file.encoding)) {
    let first = true;
    for await (const chunk of chunks) {
      yield first && encodingOfMark(chunk) === 'utf-8' ? chunk.subarray(3) : chunk;
      first = false;
    }
    return;
  }
  const decoder = new TextDecoder(file.encoding, { fatal: true });
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') {
      yield Buffer.from(text);
    }
  }
  const rest = decoder.decode();
  if (rest !== '') {
    yield Buffer.from(rest);
  }
}

async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const head = Buffer.alloc(4);
    const { bytesRead } = await handle.read(head, 0, 4, 0);
    return head.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function encodingOfMark(head: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) {
    return 'utf-8';
  }
  if (head[0] === 0xff && head[1] === 0xfe) {
    return 'utf-16le';
  }
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : undefined;
}

function isKnownEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}

async function checkUnchanged(file: InputFile): Promise<void> {
  const facts = await stat(file.path).catch((error: unknown) => {
    throw toInputError(error, file.path);
  });
  if (facts.size !== file.bytes || facts.mtimeMs !== file.modifiedMs) {
    throw new MillraceError(
      'INPUT_UNREADABLE',
      `input '${file.path}' has changed while the job ran: expected ${file.bytes} bytes, got ${facts.size}. Start again ` +
        'with an input that stays as it is',
    );
  }
}

function toInputError(error: unknown, path: string): MillraceError {
  if (error instanceof MillraceError) {
    return error;
  }
  const code = systemErrorCode(error);
  if (code === 'ENOENT') {
    return new MillraceError('INPUT_UNREADABLE', `input '${path}' does not exist: check the path`, {
      cause: error,
    });
  }
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return new MillraceError(
      'INPUT_UNREADABLE',
      `input '${path}' has bytes that its encoding does not allow: say the right one with --encoding`,
      { cause: error },
    );
  }
  if (code?.startsWith('Z_')) {
    return new MillraceError(
      'INPUT_UNREADABLE',
      `input '${path}' is gzip, but damaged or cut short (${errorText(error)}): copy it again`,
      { cause: error },
    );
  }
  return new MillraceError('INPUT_UNREADABLE', `input '${path}' cannot be read: ${errorText(error)}`, {
    cause: error,
  });
}
