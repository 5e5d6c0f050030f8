import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { errorText, MillraceError } from '../base/errors.ts';

const WINDOW_BYTES = 1 << 16;

/** A file read in places. At most one window of it is in memory, and what is skipped is never read. */
export interface ByteFile {
  readonly path: string;
  readonly size: number;
  /** @param offset 0 to `size - 1`. */
  byteAt(offset: number): number;
  /** The bytes from `start` up to, not including, `end`, both within the file; valid until the next call. */
  bytes(start: number, end: number): Buffer;
  close(): void;
}

/** @throws {MillraceError} MODEL_FILE_INVALID when there is no such file, or it cannot be read. */
export function openByteFile(path: string): ByteFile {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch (error) {
    throw new MillraceError('MODEL_FILE_INVALID', `cannot open model file '${path}': ${errorText(error)}`, {
      cause: error,
    });
  }
  const status = fstatSync(descriptor);
  if (!status.isFile()) {
    closeSync(descriptor);
    throw new MillraceError('MODEL_FILE_INVALID', `model file '${path}' is not a file`);
  }
  const { size } = status;
  let window: Buffer = Buffer.alloc(0);
  let windowStart = 0;

  const read = (start: number, end: number): Buffer => {
    const target = Buffer.alloc(end - start);
    let filled = 0;
    while (filled < target.length) {
      const count = readSync(descriptor, target, filled, target.length - filled, start + filled);
      if (count === 0) {
        throw new MillraceError(
          'MODEL_FILE_INVALID',
          `model file '${path}' became shorter while it was read`,
        );
      }
      filled += count;
    }
    return target;
  };

  const bytes = (start: number, end: number): Buffer => {
    if (start < windowStart || end > windowStart + window.length) {
      window = read(start, Math.max(end, Math.min(size, start + WINDOW_BYTES)));
      windowStart = start;
    }
    return window.subarray(start - windowStart, end - windowStart);
  };

  return {
    path,
    size,
    byteAt: (offset) => window[offset - windowStart] ?? bytes(offset, offset + 1)[0] ?? 0,
    bytes,
    close: () => closeSync(descriptor),
  };
}
