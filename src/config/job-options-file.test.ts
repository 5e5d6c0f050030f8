import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readJobOptionsFile } from './job-options-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-options-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(text: string): string {
  const path = join(folder, 'job.json');
  writeFileSync(path, text);
  return path;
}

describe('readJobOptionsFile', () => {
  it('takes relative paths from the folder of the file, and leaves everything else', async () => {
    const fields = {
      input_file: 'data/rows.csv',
      output_dir: '../out',
      model_repository: '/models',
      map: ['image=@path'],
      id_column: 'id/name',
    };
    expect(await readJobOptionsFile(write(JSON.stringify(fields)))).toEqual({
      ...fields,
      input_file: join(folder, 'data/rows.csv'),
      output_dir: resolve(folder, '../out'),
    });
  });

  it('leaves stdin and what is no path for the check of types', async () => {
    expect(await readJobOptionsFile(write('{"input_file": "-", "output_dir": 3}'))).toEqual({
      input_file: '-',
      output_dir: 3,
    });
  });

  it('passes over a byte order mark', async () => {
    expect(await readJobOptionsFile(write('\uFEFF{"batch_size": 3}'))).toEqual({ batch_size: 3 });
  });

  it.each([
    ['', 'cannot be read'],
    ['{"batch_size": 3,}', 'cannot be read'],
    ['[1]', 'must hold a JSON object'],
    ['null', 'must hold a JSON object'],
    ['"x"', 'must hold a JSON object'],
  ])('refuses %j', async (text, message) => {
    await expect(readJobOptionsFile(write(text))).rejects.toMatchObject({
      reason: 'USAGE',
      message: expect.stringContaining(message),
    });
  });

  it.each([['gone.json'], ['.']])('refuses %s', async (name) => {
    await expect(readJobOptionsFile(join(folder, name))).rejects.toMatchObject({ reason: 'USAGE' });
  });
});
