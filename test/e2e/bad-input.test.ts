import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DIGITS, makeTestFolder, ROOT, runCli, submitDigits } from './run-cli.ts';

const folder = makeTestFolder();
const lines = readFileSync(join(DIGITS, 'digits.csv'), 'utf8').trimEnd().split('\n');

/** The digits with some lines changed; line 1 is the header. */
function writeInput(name: string, changes: Readonly<Record<number, string>>): string {
  const path = join(folder, name);
  const changed = lines.map((line, index) => changes[index + 1] ?? line);
  writeFileSync(path, `${changed.join('\n')}\n`);
  return path;
}

const readErrors = (dir: string): Record<string, unknown>[] =>
  readFileSync(join(dir, 'errors.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('J07: bad rows', () => {
  const cells = (lines[501] ?? '').split(',');
  const input = writeInput('bad.csv', {
    502: cells.slice(0, 10).join(','),
    503: cells.with(7, 'NaN').join(','),
    504: cells.with(7, '').join(','),
  });
  const dir = join(folder, 'bad');

  it('go to errors.jsonl with line, id, stage and message; the others have results; the exit code is 3', async () => {
    const { code, stdout } = await runCli(submitDigits(dir, '--input-file', input));
    expect(code).toBe(3);
    expect(stdout).toContain('Done: 1,794 rows have results');
    expect(stdout).toContain('3 rows failed');
    expect(readErrors(dir)).toEqual([
      {
        input_id: 'rec_00500',
        row: 500,
        line: 502,
        stage: 'read',
        reason: 'ROW_INVALID',
        message: expect.stringContaining('expected 66 fields'),
        attempts: 0,
      },
      {
        input_id: 'rec_00501',
        row: 501,
        line: 503,
        stage: 'map',
        reason: 'ROW_INVALID',
        message: expect.stringContaining("column 'p6': expected a finite number, got 'NaN'"),
        attempts: 0,
      },
      {
        input_id: 'rec_00502',
        row: 502,
        line: 504,
        stage: 'map',
        reason: 'ROW_INVALID',
        message: expect.stringContaining("column 'p6': expected a number, got an empty field"),
        attempts: 0,
      },
    ]);
  });

  it('are told apart from missing rows by verify, and run again by --retry-failed', async () => {
    const verified = await runCli(['verify', '--input-file', input, '--output-dir', dir]);
    expect(verified).toMatchObject({ code: 3, stdout: expect.stringContaining('1,794 results, 3 errors') });
    const before = readFileSync(join(dir, 'results.jsonl'));
    const retried = await runCli(submitDigits(dir, '--input-file', input, '--retry-failed'));
    expect(retried.code).toBe(3);
    expect(readFileSync(join(dir, 'results.jsonl')).equals(before)).toBe(true);
    expect(readErrors(dir)).toHaveLength(3);
  });

  it('stop the job beyond --max-errors, and the job goes on with more', async () => {
    const stopped = join(folder, 'stopped');
    const first = await runCli(
      submitDigits(stopped, '--input-file', input, '--max-errors', '2', '--shard-rows', '64'),
    );
    expect(first).toMatchObject({ code: 1, stdout: expect.stringContaining('--max-errors') });
    const verified = await runCli(['verify', '--input-file', input, '--output-dir', stopped]);
    expect(verified).toMatchObject({ code: 1, stdout: expect.stringContaining('not finished') });
    const second = await runCli(
      submitDigits(stopped, '--input-file', input, '--max-errors', '3', '--shard-rows', '64'),
    );
    expect(second.code).toBe(3);
    expect(
      readFileSync(join(stopped, 'results.jsonl')).equals(readFileSync(join(dir, 'results.jsonl'))),
    ).toBe(true);
  });
});

it('a row whose file was not there succeeds on --retry-failed once it is, in its place', async () => {
  const repository = join(folder, 'repository');
  mkdirSync(join(repository, 'echo', '1'), { recursive: true });
  const model = readFileSync(join(ROOT, 'test/fixtures/models/identity_string.onnx'));
  writeFileSync(join(repository, 'echo', '1', 'model.onnx'), model);
  const tensor = (name: string) => `[{ name: "${name}" data_type: TYPE_STRING dims: [1] }]`;
  const config = `max_batch_size: 4 input ${tensor('INPUT0')} output ${tensor('OUTPUT0')}`;
  writeFileSync(join(repository, 'echo', 'config.pbtxt'), config);
  writeFileSync(join(folder, 'a.txt'), 'first\n"text" ü');
  writeFileSync(join(folder, 'paths.csv'), 'path\na.txt\nb.txt\na.txt\n');
  const dir = join(folder, 'files');
  const args = [
    'submit',
    '--input-file',
    join(folder, 'paths.csv'),
    '--model-name',
    'echo',
    '--model-repository',
    repository,
  ];
  const submit = (...more: string[]) =>
    runCli([...args, '--map', 'INPUT0=@path', '--output-dir', dir, ...more]);
  expect((await submit()).code).toBe(3);
  expect(readErrors(dir)).toMatchObject([{ row: 1, message: expect.stringContaining('b.txt') }]);
  writeFileSync(join(folder, 'b.txt'), 'second');
  expect(await submit('--retry-failed')).toMatchObject({ code: 0 });
  const results = readFileSync(join(dir, 'results.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(results.map(({ row, outputs }) => [row, outputs.OUTPUT0])).toEqual([
    [0, 'first\n"text" ü'],
    [1, 'second'],
    [2, 'first\n"text" ü'],
  ]);
  expect(
    await runCli(['verify', '--input-file', join(folder, 'paths.csv'), '--output-dir', dir]),
  ).toMatchObject({ code: 0 });
});

describe('wrong use ends with exit code 2 and says what to do', () => {
  const cases: readonly (readonly [string, readonly string[], string])[] = [
    ['a flag that is misspelt', ['--input-fil', 'x'], '--input-file'],
    [
      'a number that is none',
      ['--batch-size', 'many'],
      '--batch-size must be an integer of at least 1, got "many"',
    ],
    ['a batch size of 0', ['--batch-size', '0'], '--batch-size must be an integer of at least 1, got "0"'],
    [
      'a format that is not known',
      ['--output-format', 'xml'],
      '--output-format must be one of jsonl, csv, npy',
    ],
    ['an input that is not there', ['--input-file', join(folder, 'gone.csv')], 'does not exist'],
    ['an input that is a folder', ['--input-file', folder], 'is a folder'],
    ['a model that is not there', ['--model-name', 'digit'], "did you mean 'digits'?"],
    ['a column that is not there', ['--keep', 'lable'], "did you mean 'label'?"],
    ['a range that is too short', ['--map', 'pixels=p0..p62'], 'takes 64 values a row'],
    ['an input of the model that is not there', ['--map', 'pixel=p0..p63'], "did you mean 'pixels'?"],
    ['an output that is not there', ['--outputs', 'labels'], "did you mean 'label'?"],
    ['a row behind the end', ['--resume-from', '1798'], 'the input has 1797 rows'],
    ['a retry of nothing', ['--retry-failed'], 'run the same command without it first'],
  ];

  it.each(cases)('%s', async (name, args, text) => {
    const { code, stderr } = await runCli(submitDigits(join(folder, name.replaceAll(' ', '-')), ...args));
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(text) });
  });

  it('what is required and missing', async () => {
    const { code, stderr } = await runCli(['submit']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('--input-file <path> is missing'),
    });
  });

  it('J08: an id that stands twice, both lines named, unless it is allowed', async () => {
    const input = writeInput('twice.csv', { 30: (lines[29] ?? '').replace(/^[^,]*/, 'rec_00003') });
    const dir = join(folder, 'twice');
    const refused = await runCli(submitDigits(dir, '--input-file', input, '--id-column', 'id'));
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("'rec_00003' on lines 4 and 30"),
    });
    const args = ['--input-file', input, '--id-column', 'id', '--allow-duplicate-ids'];
    const allowed = await runCli(submitDigits(dir, ...args));
    expect(allowed.code).toBe(0);
    const ids = readFileSync(join(dir, 'results.jsonl'), 'utf8').match(/"input_id":"rec_00003"/g);
    expect(ids).toHaveLength(2);
  });

  it('J08: another input, model option or mapping in the directory of a job', async () => {
    const dir = join(folder, 'same');
    await runCli(submitDigits(dir));
    const input = writeInput('other.csv', { 2: (lines[1] ?? '').replace(',0,', ',1,') });
    const otherInput = await runCli(submitDigits(dir, '--input-file', input));
    expect(otherInput).toMatchObject({ code: 2, stderr: expect.stringContaining('input.sha256') });
    const otherBatches = await runCli(submitDigits(dir, '--batch-size', '8'));
    expect(otherBatches).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('batch_size: 32 there, 8 now'),
    });
  });

  it('an output directory that holds other files', async () => {
    const dir = join(folder, 'holiday');
    mkdirSync(dir);
    writeFileSync(join(dir, 'photo.jpg'), '');
    const { code, stderr } = await runCli(submitDigits(dir));
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('photo.jpg') });
  });
});
