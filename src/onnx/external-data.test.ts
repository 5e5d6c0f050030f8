import { copyFileSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { inspectOnnxFile } from './inspect-onnx-file.ts';
import { createTestFolder, encodeModel } from './testing/encode-model.ts';

const FIXTURES = fileURLToPath(new URL('../../test/fixtures/models/', import.meta.url));

/** Copies a fixture to `folder/name`, and gives that path. */
function put(fixture: string, folder: string, name: string): string {
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(FIXTURES, fixture), join(folder, name));
  return join(folder, name);
}

function link(target: string, folder: string, name: string): string {
  mkdirSync(folder, { recursive: true });
  symlinkSync(target, join(folder, name));
  return join(folder, name);
}

const putModel = (folder: string, name = 'model.onnx'): string => put('external_data.onnx', folder, name);
const putData = (folder: string, name = 'external_data.bin'): string =>
  put('external_data.bin', folder, name);
const linkModel = (target: string, folder: string): string => link(target, folder, 'model.onnx');
const linkData = (target: string, folder: string): string => link(target, folder, 'external_data.bin');

/** A model file in a new folder whose only tensor, FLOAT [4,3], lies in external data by these entries. */
function putTensorModel(external: Readonly<Record<string, string>>, dataBytes: number): string {
  const model = join(createTestFolder(), 'model.onnx');
  const entries = Object.entries(external).map(([key, value]) => ({ key, value }));
  const tensor = { name: 'W', dims: [4, 3], data_type: 1, data_location: 'EXTERNAL', external_data: entries };
  writeFileSync(
    model,
    encodeModel({ ir_version: 8, opset_import: [{ version: 17 }], graph: { initializer: [tensor] } }),
  );
  writeFileSync(join(model, '..', 'w.bin'), Buffer.alloc(dataBytes));
  return model;
}

describe('O02: external data that is found', () => {
  it('beside the model file', () => {
    const folder = createTestFolder();
    const files = [putModel(folder), putData(folder)];
    expect(inspectOnnxFile(join(folder, 'model.onnx')).files).toEqual(files);
  });

  it('by links of model and data into one blob folder', () => {
    const root = createTestFolder();
    const model = linkModel(putModel(join(root, 'blobs'), 'a1'), join(root, 'snapshot'));
    const data = linkData(putData(join(root, 'blobs'), 'b2'), join(root, 'snapshot'));
    expect(inspectOnnxFile(model).files).toEqual([model, data]);
  });

  it('beside the link to the model file, and through a link to the folder', () => {
    const root = createTestFolder();
    const model = linkModel(putModel(join(root, 'elsewhere')), join(root, 'models'));
    putData(join(root, 'models'));
    expect(inspectOnnxFile(model).files).toHaveLength(2);
    expect(inspectOnnxFile(join(link(join(root, 'models'), root, 'again'), 'model.onnx')).files).toHaveLength(
      2,
    );
  });

  it('of the length that the shape needs where the model gives none, each file once', () => {
    const model = putTensorModel({ location: 'w.bin', offset: '16' }, 64);
    expect(inspectOnnxFile(model).files).toEqual([model, join(model, '..', 'w.bin')]);
  });
});

describe('O02: external data that is refused', () => {
  it.each([
    ['external_missing', "'not_there.bin' (256 bytes), but there is no such file"],
    ['external_parent', "'../external_data.bin', which leads out of the model's folder"],
    ['external_absolute', 'expected a path relative to the model file'],
  ])('%s', (fixture, problem) => {
    const model = put(`${fixture}.onnx`, join(createTestFolder(), 'model', '1'), 'model.onnx');
    putData(join(model, '..', '..'));
    expect(() => inspectOnnxFile(model)).toThrow(problem);
  });

  it('cut by one byte: expected and found bytes are told', () => {
    const folder = createTestFolder();
    const model = putModel(folder);
    truncateSync(putData(folder), 255);
    expect(() => inspectOnnxFile(model)).toThrow('expected at least 256 bytes, found 255');
  });

  it.each([
    ['no length, too short for the shape', { location: 'w.bin' }, 47, 'expected at least 48 bytes, found 47'],
    [
      'too short behind its offset',
      { location: 'w.bin', offset: '8' },
      55,
      'expected at least 56 bytes, found 55',
    ],
    ['an offset that is no number', { location: 'w.bin', offset: '-1' }, 64, "the offset '-1'"],
    [
      'a length beyond any file',
      { location: 'w.bin', length: '99999999999999999999' },
      64,
      'a number of bytes',
    ],
    ['no location', {}, 64, 'expected a path relative'],
    [
      'a location in the memory of the process',
      { location: '*/_ORT_MEM_ADDR_/*', offset: '4096' },
      64,
      'no such file',
    ],
    ['the folder itself', { location: '.' }, 64, 'leads out'],
    ['a path with a NUL', { location: 'w.bin\0' }, 64, 'no such file'],
  ])('%s', (_what, external, dataBytes, problem) => {
    const model = putTensorModel(external, dataBytes);
    expect(() => inspectOnnxFile(model)).toThrow(problem);
  });

  it('a link that leads away from the model', () => {
    const root = createTestFolder();
    const model = putModel(join(root, 'models'));
    linkData(putData(join(root, 'elsewhere')), join(root, 'models'));
    expect(() => inspectOnnxFile(model)).toThrow('which is neither in the folder of the model file nor');
  });
});
