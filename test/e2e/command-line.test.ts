import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DIGITS, makeTestFolder, runCli, submitDigits } from './run-cli.ts';

const folder = makeTestFolder();

describe('the command line', () => {
  it.each([
    ['no command', [], 'Usage: millrace'],
    ['a command that is not known', ['submitt'], 'Did you mean submit?'],
    ['an argument too many', ['submit', 'digits.csv'], 'too many arguments'],
    ['a flag without its value', ['submit', '--input-file'], 'argument missing'],
    ['underscores in a flag', ['submit', '--input_file', 'x'], 'Did you mean --input-file?'],
    [
      'underscores in a flag of verify',
      ['verify', '--expected_count', '3'],
      'Did you mean --expected-count?',
    ],
    ['a flag of another command', ['status', '--batch-size', '3'], "unknown option '--batch-size'"],
    [
      'a job file that is not there',
      ['submit', '--job-file', 'gone.json'],
      "job file 'gone.json' cannot be read",
    ],
  ])('refuses %s with exit code 2', async (_, args, text) => {
    const { code, stdout, stderr } = await runCli(args);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(text) });
  });

  it('refuses an environment variable that is misspelt', async () => {
    const { code, stderr } = await runCli(submitDigits(join(folder, 'environment')), {
      env: { MILLRACE_BACH_SIZE: '3' },
    });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("did you mean 'MILLRACE_BATCH_SIZE'?"),
    });
  });

  it.each([
    ['--version', /^\d+\.\d+\.\d+\n$/],
    ['--help', /^Usage: millrace \[options\] \[command\]/],
  ])('%s is no error', async (flag, text) => {
    expect(await runCli([flag])).toMatchObject({ code: 0, stdout: expect.stringMatching(text), stderr: '' });
  });
});

describe('errors', () => {
  it('are an object on stdout for programs, and a line on stderr', async () => {
    const { code, stdout, stderr } = await runCli(
      submitDigits(join(folder, 'json'), '--json', '--model-name', 'digit'),
    );
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      event: 'error',
      reason: 'MODEL_NOT_FOUND',
      code: 'NOT_FOUND',
    });
    expect(stderr).toMatch(/^error MODEL_NOT_FOUND: .*'digits'\?\n$/);
  });

  it('have their cause with --verbose', async () => {
    const args = submitDigits(join(folder, 'verbose'), '--input-file', join(folder, 'gone.csv'));
    const plain = await runCli(args);
    expect(plain.stderr).not.toContain('caused by');
    expect(await runCli([...args, '--verbose'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/does not exist.*\ncaused by: Error: ENOENT/),
    });
  });

  it('of a model that cannot be loaded are its own, and the job failed', async () => {
    const repository = join(folder, 'repository');
    mkdirSync(join(repository, 'broken/1'), { recursive: true });
    writeFileSync(join(repository, 'broken/1/model.onnx'), 'no model');
    const args = submitDigits(
      join(folder, 'broken'),
      '--model-repository',
      repository,
      '--model-name',
      'broken',
    );
    expect(await runCli(args)).toMatchObject({ code: 1, stderr: expect.stringMatching(/^error MODEL_/) });
  });
});

it.each([['--json'], ['--shard-rows=64']])(
  'a reader that closes the pipe does not end the job: %s',
  async (flag) => {
    const dir = join(folder, `closed${flag}`);
    const { code } = await runCli(submitDigits(dir, flag), {
      onStart: (child) => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      },
    });
    expect(code).toBe(0);
    expect(existsSync(join(dir, 'manifest.json'))).toBe(true);
  },
);

it('the commands that a job proposes do what they say', async () => {
  const cwd = join(folder, "it's here");
  mkdirSync(cwd);
  const { stdout } = await runCli(
    submitDigits('out put', '--input-file', join(DIGITS, 'digits.jsonl'), '--keep', 'label'),
    { cwd },
  );
  expect(stdout).toContain('Results: out put/results.jsonl\n');
  const command = /^ {2}millrace (verify .*)$/m.exec(stdout)?.[1] ?? '';
  const words = command.match(/'[^']*'|[^' ]+/g)?.map((word) => word.replaceAll("'", '')) ?? [];
  expect(await runCli(words, { cwd })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Verified: 1,797 rows expected'),
  });
});
