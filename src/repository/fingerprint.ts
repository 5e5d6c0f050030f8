import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { errorText, MillraceError } from '../base/errors.ts';

/**
 * SHA-256 of a model, lower-case hex. Of a model in one file it is that file's own, as `sha256sum` prints it; of a
 * model with external data it is taken over the list of files in the form that `sha256sum` prints, sorted by name.
 * @throws {MillraceError} MODEL_FILE_INVALID when a file cannot be read.
 */
export async function fingerprintModel(files: readonly string[]): Promise<string> {
  const hashes: { name: string; sha256: string }[] = [];
  for (const file of files) {
    hashes.push({ name: basename(file), sha256: await hashFile(file) });
  }
  const [only, ...others] = hashes;
  if (only !== undefined && others.length === 0) {
    return only.sha256;
  }
  const list = hashes
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, sha256 }) => `${sha256}  ${name}\n`)
    .join('');
  return createHash('sha256').update(list).digest('hex');
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  } catch (error) {
    throw new MillraceError('MODEL_FILE_INVALID', `cannot read model file '${path}': ${errorText(error)}`, {
      cause: error,
    });
  }
  return hash.digest('hex');
}
