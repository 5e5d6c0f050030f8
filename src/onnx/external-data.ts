import { realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { MillraceError } from '../base/errors.ts';
import { elementCount } from '../tensor/shape.ts';
import type { OnnxTensor } from './onnx-model.ts';

/** A file of weights beside the model file, and how long it must be. */
interface ExternalFile {
  readonly location: string;
  /** A tensor of it, for messages: the one that reaches farthest. */
  readonly tensorName: string;
  readonly expectedBytes: number;
}

/**
 * The files in which tensors keep their data outside of the model file. Each must lie in the folder of the model file,
 * or below. Where files are links, as in the caches of model hubs, that folder is the one of the path given, or the
 * one in which the model file really is; this is what ONNX Runtime allows.
 * @returns absolute paths, each once, in the order of the model.
 * @throws {MillraceError} MODEL_FILE_INVALID when a file lies elsewhere, is missing or is too short.
 */
export function findExternalFiles(modelPath: string, tensors: Iterable<OnnxTensor>): string[] {
  return [...collectFiles(modelPath, tensors).values()].map((file) => checkFile(modelPath, file));
}

function collectFiles(modelPath: string, tensors: Iterable<OnnxTensor>): Map<string, ExternalFile> {
  const files = new Map<string, ExternalFile>();
  for (const tensor of tensors) {
    if (tensor.external === undefined) {
      continue;
    }
    const location = tensor.external.get('location') ?? '';
    const offset = readBytes(modelPath, tensor, 'offset') ?? 0;
    const expectedBytes = offset + (readBytes(modelPath, tensor, 'length') ?? tensorBytes(tensor));
    const known = files.get(location);
    if (known === undefined || known.expectedBytes < expectedBytes) {
      files.set(location, { location, tensorName: tensor.name, expectedBytes });
    }
  }
  return files;
}

function readBytes(modelPath: string, { name, external }: OnnxTensor, key: string): number | undefined {
  const text = external?.get(key);
  if (text === undefined) {
    return undefined;
  }
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) {
    throw invalid(
      modelPath,
      `gives the external data of tensor '${name}' the ${key} '${text}', expected a number of bytes`,
    );
  }
  return value;
}

function tensorBytes({ dims, elementType }: OnnxTensor): number {
  return Math.ceil((elementCount(dims) * (elementType.bits ?? 0)) / 8);
}

function checkFile(modelPath: string, { location, tensorName, expectedBytes }: ExternalFile): string {
  const what = `keeps tensor '${tensorName}' in external data '${location}'`;
  if (location === '' || isAbsolute(location)) {
    throw invalid(modelPath, `${what}: expected a path relative to the model file`);
  }
  const folder = resolve(dirname(modelPath));
  const path = join(folder, location);
  if (!isInside(folder, path)) {
    throw invalid(modelPath, `${what}, which leads out of the model's folder`);
  }
  let realPath: string;
  try {
    realPath = realpathSync(path);
  } catch {
    throw invalid(
      modelPath,
      `${what} (${expectedBytes} bytes), but there is no such file: put it beside the model file`,
    );
  }
  if (
    ![realpathSync(folder), dirname(realpathSync(modelPath))].some((allowed) => isInside(allowed, realPath))
  ) {
    throw invalid(
      modelPath,
      `${what}, a link to '${realPath}', which is neither in the folder of the model file nor in that of the file it ` +
        'links to',
    );
  }
  const status = statSync(realPath);
  if (!status.isFile()) {
    throw invalid(modelPath, `${what}, which is not a file`);
  }
  if (status.size < expectedBytes) {
    throw invalid(
      modelPath,
      `${what}, which is cut short: expected at least ${expectedBytes} bytes, found ${status.size}`,
    );
  }
  return path;
}

function isInside(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function invalid(modelPath: string, problem: string): MillraceError {
  return new MillraceError('MODEL_FILE_INVALID', `model file '${modelPath}' ${problem}`, {
    details: { model_file: modelPath },
  });
}
