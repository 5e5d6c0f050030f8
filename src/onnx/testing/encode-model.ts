import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';
import { onTestFinished } from 'vitest';

const path = fileURLToPath(new URL('../../../proto/onnx-ml.proto', import.meta.url));
const MODEL = new protobuf.Root().loadSync(path, { keepCase: true }).lookupType('onnx.ModelProto');

/** The bytes of a `ModelProto` with these fields, by their names in onnx-ml.proto. */
export function encodeModel(fields: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.from(MODEL.encode(MODEL.fromObject(fields)).finish());
}

/** A folder that goes away with the test. */
export function createTestFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'onnx-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Path of a new file in a folder that goes away with the test. */
export function writeTestFile(content: Uint8Array | string, name = 'model.onnx'): string {
  const file = join(createTestFolder(), name);
  writeFileSync(file, content);
  return file;
}
