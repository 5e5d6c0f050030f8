import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fingerprintModel } from './fingerprint.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-fingerprint-'));
  await writeFile(join(folder, 'model.onnx'), 'graph');
  await writeFile(join(folder, 'model.onnx.data'), 'weights');
});
afterEach(() => rm(folder, { recursive: true }));

it('is the hash of the file itself for a model in one file', async () => {
  expect(await fingerprintModel([join(folder, 'model.onnx')])).toBe(sha256('graph'));
});

it('O02: changes when only the external data changes, and does not depend on the order of the files', async () => {
  const files = [join(folder, 'model.onnx'), join(folder, 'model.onnx.data')];
  const before = await fingerprintModel(files);
  expect(before).toBe(sha256(`${sha256('graph')}  model.onnx\n${sha256('weights')}  model.onnx.data\n`));
  expect(await fingerprintModel(files.toReversed())).toBe(before);
  await writeFile(join(folder, 'model.onnx.data'), 'Weights');
  expect(await fingerprintModel(files)).not.toBe(before);
});

it('names a file that cannot be read', async () => {
  await expect(fingerprintModel([join(folder, 'gone.onnx')])).rejects.toMatchObject({
    reason: 'MODEL_FILE_INVALID',
    message: expect.stringContaining('gone.onnx'),
  });
});
