import { mkdir, readdir } from 'node:fs/promises';
import { MillraceError } from '../base/errors.ts';
import { guardWrite } from './durable-file.ts';
import { LOCK_FILE } from './job-lock.ts';
import { JOB_FILE } from './manifest.ts';

/** Files of ours that may be there before job.json is. */
const EARLY_FILES = [LOCK_FILE, 'input.spool', JOB_FILE];

/**
 * Makes the output directory, or takes one that is empty or holds a job.
 * @throws {MillraceError} USAGE for a directory with other files, OUTPUT_UNWRITABLE.
 */
export async function prepareOutputDir(outputDir: string): Promise<void> {
  await guardWrite(outputDir, () => mkdir(outputDir, { recursive: true }));
  const names = await guardWrite(outputDir, () => readdir(outputDir));
  const foreign = names.find((name) => !EARLY_FILES.some((file) => name.startsWith(file)));
  if (foreign !== undefined && !names.includes(JOB_FILE)) {
    throw new MillraceError(
      'USAGE',
      `'${outputDir}' holds '${foreign}' and no batch job: results would be mixed with other files. Take another --output-dir`,
    );
  }
}
