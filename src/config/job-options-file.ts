import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { errorText, MillraceError } from '../base/errors.ts';

/** Fields of a job file that are paths. */
const PATH_FIELDS = ['input_file', 'output_dir', 'model_repository'];

/**
 * Reads a job file: a JSON object whose fields are the options of `millrace submit`. Relative paths in it start from its
 * own folder.
 * @throws {MillraceError} USAGE.
 */
export async function readJobOptionsFile(path: string): Promise<Readonly<Record<string, unknown>>> {
  let value: unknown;
  try {
    // Some editors begin a file with a byte order mark.
    value = JSON.parse((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new MillraceError('USAGE', `job file '${path}' cannot be read: ${errorText(error)}`, {
      cause: error,
    });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new MillraceError(
      'USAGE',
      `job file '${path}' must hold a JSON object, as docs/schema/job.schema.json says`,
    );
  }
  return Object.fromEntries(
    Object.entries(value).map(([field, content]) => [field, resolvePath(field, content, dirname(path))]),
  );
}

function resolvePath(field: string, content: unknown, folder: string): unknown {
  return PATH_FIELDS.includes(field) && typeof content === 'string' && content !== '-'
    ? resolve(folder, content)
    : content;
}
