import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { MillraceError } from '../base/errors.ts';
import { guardWrite, TEMPORARY_SUFFIX } from './durable-file.ts';
import { LOCK_FILE } from './job-lock.ts';
import { JOB_FILE } from './manifest.ts';

/** Where stdin is kept while a job runs, and what belongs to it. */
const SPOOL_FILE = 'input.spool';

/** What names of our files begin with that may be there before job.json is. */
const EARLY_FILES = [LOCK_FILE, SPOOL_FILE, JOB_FILE];

/**
 * Makes the output directory, or takes one that is empty or holds a job.
 * @throws {MillraceError} USAGE for a directory with other files, OUTPUT_UNWRITABLE.
 */
export async function prepareOutputDir(outputDir: string): Promise<void> {
  await makeFolder(outputDir);
  const names = await guardWrite(outputDir, () => readdir(outputDir));
  const foreign = names.find((name) => !EARLY_FILES.some((file) => name.startsWith(file)));
  if (foreign !== undefined && !names.includes(JOB_FILE)) {
    throw new MillraceError(
      'USAGE',
      `'${outputDir}' holds '${foreign}' and no batch job: results would be mixed with other files. Take another --output-dir`,
    );
  }
}

async function makeFolder(path: string): Promise<void> {
  const facts = await stat(path).catch(() => undefined);
  if (facts !== undefined && !facts.isDirectory()) {
    throw new MillraceError(
      'USAGE',
      `'${path}' is a file: --output-dir must name a folder, or one that is to be made`,
    );
  }
  if (facts === undefined) {
    // Where the parent is there, only the folder itself is made: a file system that takes no folders, such as /proc, would
    // be asked for it again and again otherwise.
    const parent = await stat(dirname(path)).catch(() => undefined);
    await guardWrite(path, () => mkdir(path, { recursive: parent === undefined }));
  }
}

/** Removes the copy of stdin, whole or not: the next run reads stdin again. */
export async function removeSpool(outputDir: string): Promise<void> {
  for (const file of [SPOOL_FILE, SPOOL_FILE + TEMPORARY_SUFFIX]) {
    await rm(join(outputDir, file), { force: true });
  }
}
