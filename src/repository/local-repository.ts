import { readdir, readFile, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { errorText, MillraceError, systemErrorCode } from '../base/errors.ts';
import { nearestNames, quoteNames } from '../base/nearest-names.ts';
import type { ModelFolder, ModelRepository, ModelVersionFolder } from './model-repository.ts';

const CONFIG_FILENAME = 'config.pbtxt';

/** A version folder is a positive integer without leading zeros; Triton passes over every other folder. */
const VERSION_PATTERN = /^[1-9]\d*$/;

/** Highest version number: Triton holds versions as int64. */
const MAX_VERSION = 2n ** 63n - 1n;

/**
 * A model repository in folders of this machine, `<root>/<model>/<version>/model.onnx`. Several roots act as one;
 * a model name that is in two of them is refused, since which one is meant would be a guess.
 */
export function createLocalRepository(roots: readonly string[]): ModelRepository {
  const absoluteRoots = [...new Set(roots.map((root) => resolve(root)))];
  return {
    listModels: () => listModels(absoluteRoots),
    readModel: (name) => readModel(absoluteRoots, name),
    readTextFile,
  };
}

async function listModels(roots: readonly string[]): Promise<readonly string[]> {
  const perRoot = await Promise.all(roots.map((root) => listFolders(root)));
  return [...new Set(perRoot.flat())].sort();
}

async function readModel(roots: readonly string[], name: string): Promise<ModelFolder> {
  const holders: string[] = [];
  for (const root of roots) {
    if ((await listFolders(root)).includes(name)) {
      holders.push(root);
    }
  }
  const [root, secondRoot] = holders;
  if (root === undefined) {
    throw modelNotFound(name, await listModels(roots), roots);
  }
  if (secondRoot !== undefined) {
    throw new MillraceError(
      'REPOSITORY_INVALID',
      `model '${name}' is in two model repositories, '${root}' and '${secondRoot}': rename or remove one of them`,
    );
  }
  const path = join(root, name);
  const versions = await readVersions(path);
  if (versions.length === 0) {
    throw new MillraceError(
      'REPOSITORY_INVALID',
      `model '${name}' has no version folder in '${path}', expected '${join(path, '1', 'model.onnx')}' or a higher number`,
    );
  }
  const configPath = join(path, CONFIG_FILENAME);
  return { name, path, configPath, configText: await readOptionalText(configPath), versions };
}

function modelNotFound(name: string, models: readonly string[], roots: readonly string[]): MillraceError {
  const nearest = nearestNames(name, models);
  const hint =
    nearest.length > 0
      ? `did you mean ${quoteNames(nearest)}?`
      : `the models there are ${quoteNames(models)}`;
  return new MillraceError('MODEL_NOT_FOUND', `no model '${name}' in ${quoteNames(roots)}: ${hint}`, {
    details: { model: name },
  });
}

async function readVersions(modelPath: string): Promise<ModelVersionFolder[]> {
  const names = (await listFolders(modelPath)).filter(isVersion);
  const versions = await Promise.all(
    names.map(async (name) => {
      const path = join(modelPath, name);
      return { version: BigInt(name), path, entries: (await readdir(path)).sort() };
    }),
  );
  return versions.sort((a, b) => (a.version < b.version ? -1 : 1));
}

function isVersion(name: string): boolean {
  return VERSION_PATTERN.test(name) && BigInt(name) <= MAX_VERSION;
}

/** Folders right under `path`, links followed; hidden ones are passed over. */
async function listFolders(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    const folders: string[] = [];
    for (const entry of entries) {
      const isFolder =
        entry.isDirectory() || (entry.isSymbolicLink() && (await isDirectory(join(path, entry.name))));
      if (isFolder && !entry.name.startsWith('.')) {
        folders.push(entry.name);
      }
    }
    return folders;
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // A link that leads nowhere is no folder.
    return false;
  }
}

async function readTextFile(folder: ModelFolder, relativePath: string): Promise<string | undefined> {
  const path = resolve(folder.path, relativePath);
  const inside = relative(folder.path, path);
  if (isAbsolute(relativePath) || inside === '..' || inside.startsWith(`..${sep}`)) {
    throw new MillraceError(
      'REPOSITORY_INVALID',
      `model '${folder.name}' names the file '${relativePath}', which is outside its folder '${folder.path}'`,
    );
  }
  return readOptionalText(path);
}

async function readOptionalText(path: string): Promise<string | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') {
      return undefined;
    }
    throw unreadable(path, error);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new MillraceError('REPOSITORY_INVALID', `'${path}' is not UTF-8 text: save it as UTF-8`, {
      cause: error,
    });
  }
}

function unreadable(path: string, error: unknown): MillraceError {
  const why = systemErrorCode(error) === 'ENOENT' ? 'it does not exist' : errorText(error);
  return new MillraceError('REPOSITORY_INVALID', `cannot read '${path}': ${why}`, { cause: error });
}
