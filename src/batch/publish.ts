/**
 * The end of a job: the parts of all shards become one file each, and a manifest says what they are. All of it appears at
 * once: the new files are written aside, then a list of them (`publish.json`) makes it final, then they get their names. A
 * crash before the list changes nothing; after it, the next run gives the rest their names.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorCode } from '../base/errors.ts';
import {
  type FileFacts,
  guardWrite,
  publishTemporary,
  syncFolder,
  TEMPORARY_SUFFIX,
  writeTemporary,
  writeWhole,
} from './durable-file.ts';
import { SHARD_FOLDER, SHARD_MANIFEST_FILE } from './manifest.ts';

const PUBLISH_FILE = 'publish.json';

/** Where the bytes of a part lie. */
export interface PartSource {
  readonly path: string;
  readonly offset: number;
  readonly bytes: number;
}

/** Writes and syncs `<path>.tmp` out of a header and parts. @throws {MillraceError} OUTPUT_UNWRITABLE */
export async function assembleFile(
  path: string,
  header: Buffer,
  parts: Iterable<PartSource>,
): Promise<FileFacts> {
  return guardWrite(path, async () => {
    const handle = await open(path + TEMPORARY_SUFFIX, 'w');
    const hash = createHash('sha256');
    let bytes = 0;
    try {
      const write = async (chunk: Buffer): Promise<void> => {
        hash.update(chunk);
        bytes += chunk.length;
        await handle.writeFile(chunk);
      };
      await write(header);
      for (const part of parts) {
        await copyPart(part, write);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    return { bytes, sha256: hash.digest('hex') };
  });
}

async function copyPart(
  { path, offset, bytes }: PartSource,
  write: (chunk: Buffer) => Promise<void>,
): Promise<void> {
  if (bytes === 0) {
    return;
  }
  let copied = 0;
  for await (const chunk of createReadStream(path, {
    start: offset,
    end: offset + bytes - 1,
    highWaterMark: 1 << 20,
  })) {
    copied += chunk.length;
    await write(chunk);
  }
  if (copied !== bytes) {
    throw new Error(`'${path}' was cut short while it was read: expected ${bytes} bytes, got ${copied}`);
  }
}

/**
 * Gives the files that `assembleFile` left their names, with `manifest` as the last, and removes `removed` and the shards.
 * @param files names of the files, in the output directory.
 */
export async function publishFiles(
  outputDir: string,
  files: readonly string[],
  manifest: { readonly file: string; readonly text: string },
  removed: readonly string[],
): Promise<void> {
  await writeTemporary(join(outputDir, manifest.file), [manifest.text]);
  const list: PublishList = { files: [...files, manifest.file], removed };
  await writeWhole(join(outputDir, PUBLISH_FILE), JSON.stringify(list));
  await finishPublishing(outputDir);
}

interface PublishList {
  readonly files: readonly string[];
  readonly removed: readonly string[];
}

/** Goes on with a publication that was cut off. Without one it only removes what an earlier one left behind. */
export async function finishPublishing(outputDir: string): Promise<boolean> {
  const path = join(outputDir, PUBLISH_FILE);
  const list = await readList(path);
  if (list === undefined) {
    return false;
  }
  await guardWrite(outputDir, async () => {
    for (const file of list.files) {
      const target = join(outputDir, file);
      if (await exists(target + TEMPORARY_SUFFIX)) {
        await publishTemporary(target);
      }
    }
    for (const file of list.removed) {
      await rm(join(outputDir, file), { force: true });
    }
    await syncFolder(outputDir);
    await removeShards(outputDir);
    await rm(path, { force: true });
    await syncFolder(outputDir);
  });
  return true;
}

/** Removes the finished shards and their manifest: the manifest first, since it refers to them. */
export async function removeShards(outputDir: string): Promise<void> {
  await guardWrite(outputDir, async () => {
    await rm(join(outputDir, SHARD_MANIFEST_FILE), { force: true });
    await rm(join(outputDir, SHARD_FOLDER), { recursive: true, force: true });
  });
}

async function readList(path: string): Promise<PublishList | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
