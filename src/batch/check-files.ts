import { join } from 'node:path';
import { type FileFacts, readFileFacts } from './durable-file.ts';

/**
 * Reads files and holds them against what is recorded of them.
 * @param files by path, relative to `folder`.
 * @returns in words the first that is missing or different; undefined when there is none.
 */
export async function findDamagedFile(
  folder: string,
  files: Readonly<Record<string, FileFacts>>,
): Promise<string | undefined> {
  for (const [name, expected] of Object.entries(files)) {
    const path = join(folder, name);
    const found = await readFileFacts(path);
    if (found === undefined) {
      return `'${path}' is missing`;
    }
    if (found.bytes !== expected.bytes) {
      return `'${path}' has ${found.bytes} bytes, expected ${expected.bytes}`;
    }
    if (found.sha256 !== expected.sha256) {
      return `'${path}' has another checksum than was recorded`;
    }
  }
  return undefined;
}
