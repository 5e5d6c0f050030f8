import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLocalRepository } from './local-repository.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'millrace-repository-'));
});
afterEach(() => rm(root, { recursive: true }));

async function addFile(...path: string[]): Promise<void> {
  const file = join(root, ...path);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, path.at(-1) ?? '');
}

describe('listModels', () => {
  it('lists the folders of every root once, sorted, without files and hidden folders', async () => {
    await addFile('a', 'zebra', '1', 'model.onnx');
    await addFile('a', 'apple', '1', 'model.onnx');
    await addFile('a', '.git', 'HEAD');
    await addFile('a', 'README.md');
    await addFile('b', 'mango', '1', 'model.onnx');
    const repository = createLocalRepository([join(root, 'a'), join(root, 'b'), join(root, 'a')]);
    expect(await repository.listModels()).toEqual(['apple', 'mango', 'zebra']);
  });

  it('follows a link to a model, and passes over a link that leads nowhere', async () => {
    await addFile('elsewhere', 'digits-v7', '1', 'model.onnx');
    await mkdir(join(root, 'a'));
    await symlink(join(root, 'elsewhere', 'digits-v7'), join(root, 'a', 'digits'));
    await symlink(join(root, 'nowhere'), join(root, 'a', 'broken'));
    const repository = createLocalRepository([join(root, 'a')]);
    expect(await repository.listModels()).toEqual(['digits']);
    expect((await repository.readModel('digits')).versions).toHaveLength(1);
  });

  it('names a root that does not exist', async () => {
    const repository = createLocalRepository([join(root, 'missing')]);
    await expect(repository.listModels()).rejects.toMatchObject({
      reason: 'REPOSITORY_INVALID',
      message: expect.stringContaining(`'${join(root, 'missing')}': it does not exist`),
    });
  });
});

describe('readModel', () => {
  it('finds versions as Triton does: positive integers without leading zeros, in order of number', async () => {
    for (const folder of ['10', '2', '0', '03', 'v4', '-1', '9223372036854775808', 'assets']) {
      await addFile('m', folder, 'model.onnx');
    }
    await addFile('m', 'config.pbtxt');
    const model = await createLocalRepository([root]).readModel('m');
    expect(model.versions.map(({ version }) => version)).toEqual([2n, 10n]);
    expect(model.versions[0]?.entries).toEqual(['model.onnx']);
    expect(model.configText).toBe('config.pbtxt');
  });

  it('has no config text where there is no config.pbtxt', async () => {
    await addFile('m', '1', 'model.onnx');
    expect((await createLocalRepository([root]).readModel('m')).configText).toBeUndefined();
  });

  it('suggests the nearest model names', async () => {
    await addFile('digits', '1', 'model.onnx');
    await expect(createLocalRepository([root]).readModel('digit')).rejects.toMatchObject({
      reason: 'MODEL_NOT_FOUND',
      message: `no model 'digit' in '${root}': did you mean 'digits'?`,
    });
  });

  it.each(['..', '.', 'a/../../etc', '/etc', ''])(
    'never leaves the repository for the name %j',
    async (name) => {
      await addFile('a', '1', 'model.onnx');
      await expect(createLocalRepository([join(root)]).readModel(name)).rejects.toMatchObject({
        reason: 'MODEL_NOT_FOUND',
      });
    },
  );

  it('refuses a name that two roots hold, naming both', async () => {
    await addFile('a', 'm', '1', 'model.onnx');
    await addFile('b', 'm', '1', 'model.onnx');
    await expect(
      createLocalRepository([join(root, 'a'), join(root, 'b')]).readModel('m'),
    ).rejects.toMatchObject({
      reason: 'REPOSITORY_INVALID',
      message: expect.stringMatching(/'m' is in two model repositories, '.*a' and '.*b'/),
    });
  });

  it('says where a version folder is expected', async () => {
    await addFile('m', 'model.onnx');
    await expect(createLocalRepository([root]).readModel('m')).rejects.toMatchObject({
      reason: 'REPOSITORY_INVALID',
      message: expect.stringContaining(join(root, 'm', '1', 'model.onnx')),
    });
  });

  it('refuses a config.pbtxt that is not text', async () => {
    await addFile('m', '1', 'model.onnx');
    await writeFile(join(root, 'm', 'config.pbtxt'), Buffer.from([0xff, 0xfe, 0x00]));
    await expect(createLocalRepository([root]).readModel('m')).rejects.toMatchObject({
      reason: 'REPOSITORY_INVALID',
      message: expect.stringContaining('not UTF-8'),
    });
  });
});

describe('readTextFile', () => {
  it('reads inside the folder of the model and nowhere else', async () => {
    await addFile('m', '1', 'model.onnx');
    await addFile('m', 'labels.txt');
    await addFile('secret.txt');
    const repository = createLocalRepository([root]);
    const model = await repository.readModel('m');
    expect(await repository.readTextFile(model, 'labels.txt')).toBe('labels.txt');
    expect(await repository.readTextFile(model, 'none.txt')).toBeUndefined();
    for (const path of ['../secret.txt', '1/../../secret.txt', join(root, 'secret.txt')]) {
      await expect(repository.readTextFile(model, path)).rejects.toMatchObject({
        reason: 'REPOSITORY_INVALID',
      });
    }
  });
});
