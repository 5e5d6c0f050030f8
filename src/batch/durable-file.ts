/**
 * Files that are there as a whole or not at all, whatever happens to the process or the machine. Small writes go to the
 * system's cache at once, on this thread: to hand one to another thread takes longer than the write. What waits for the
 * disk does not hold up the thread.
 */
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, fsync, openSync, renameSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { errorText, MillraceError } from '../base/errors.ts';

const sync = promisify(fsync);

/** What a file must be. */
export interface FileFacts {
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** Ends the names of files that are not finished. */
export const TEMPORARY_SUFFIX = '.tmp';

/** Writes and syncs `<path>.tmp`. @throws {MillraceError} OUTPUT_UNWRITABLE */
export async function writeTemporary(path: string, chunks: Iterable<Buffer | string>): Promise<FileFacts> {
  return guardWrite(path, async () => {
    const hash = createHash('sha256');
    let bytes = 0;
    const file = openSync(path + TEMPORARY_SUFFIX, 'w');
    try {
      for (const chunk of chunks) {
        const buffer = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        hash.update(buffer);
        bytes += buffer.length;
        writeFileSync(file, buffer);
      }
      await sync(file);
    } finally {
      closeSync(file);
    }
    return { bytes, sha256: hash.digest('hex') };
  });
}

/** Gives `<path>.tmp` its name. The folder must be synced for the name to be durable. */
export async function publishTemporary(path: string): Promise<void> {
  await guardWrite(path, async () => renameSync(path + TEMPORARY_SUFFIX, path));
}

/** Makes the names in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  await guardWrite(path, async () => {
    const folder = openSync(path, 'r');
    try {
      await sync(folder);
    } finally {
      closeSync(folder);
    }
  });
}

/** Writes a small file whole and durably. @throws {MillraceError} OUTPUT_UNWRITABLE */
export async function writeWhole(path: string, text: string): Promise<void> {
  await writeTemporary(path, [text]);
  await publishTemporary(path);
  await syncFolder(dirname(path));
}

/** Appends to a file and syncs it. @throws {MillraceError} OUTPUT_UNWRITABLE */
export async function appendDurably(path: string, text: string): Promise<void> {
  await guardWrite(path, async () => {
    const file = openSync(path, 'a');
    try {
      writeFileSync(file, text);
      await sync(file);
    } finally {
      closeSync(file);
    }
  });
}

/**
 * Ends the last line of a file of lines, which is made if it is not there: a crash may have left half a line, and what
 * follows must not be glued to it.
 * @throws {MillraceError} OUTPUT_UNWRITABLE
 */
export async function endLastLine(path: string): Promise<void> {
  await guardWrite(path, async () => {
    const handle = await open(path, 'a+');
    try {
      const { size } = await handle.stat();
      const last = Buffer.alloc(1);
      if (size > 0) {
        await handle.read(last, 0, 1, size - 1);
        if (last.toString() !== '\n') {
          await handle.appendFile('\n');
        }
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
}

/** Size and checksum of a file; undefined when it cannot be read. */
export async function readFileFacts(path: string): Promise<FileFacts | undefined> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    await pipeline(
      createReadStream(path, { highWaterMark: 1 << 20 }),
      async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) {
          hash.update(chunk);
          bytes += chunk.length;
        }
      },
    );
  } catch {
    return undefined;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Runs an effect on the output directory; its failure says what to do. @throws {MillraceError} OUTPUT_UNWRITABLE */
export async function guardWrite<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw new MillraceError(
      'OUTPUT_UNWRITABLE',
      `'${path}' cannot be written: ${errorText(error)}. Free space or correct the permissions, then run the same command ` +
        'again: it continues',
      { cause: error },
    );
  }
}
