import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { DIGITS, MAIN, makeTestFolder, runCli, submitDigits } from './run-cli.ts';

const folder = makeTestFolder();
const whole = join(folder, 'whole');
const csv = readFileSync(join(DIGITS, 'digits.csv'));

interface Result {
  readonly input_id: string;
  readonly row: number;
  readonly label?: number;
  readonly outputs: { readonly label: number; readonly probabilities: readonly number[] };
}

const readResults = (dir: string): Result[] =>
  readFileSync(join(dir, 'results.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

beforeAll(async () => {
  const { code, stderr } = await runCli(submitDigits(whole, '--batch-size', '16', '--keep', 'label'));
  expect({ code, stderr }).toMatchObject({ code: 0 });
});

describe('submit', () => {
  it("gives Python onnxruntime's own labels and probabilities for every digit, in order", () => {
    const expected = readFileSync(join(DIGITS, 'expected.csv'), 'utf8').trimEnd().split('\n').slice(1);
    const results = readResults(whole);
    expect(results).toHaveLength(expected.length);
    for (const [row, line] of expected.entries()) {
      const [, label, ...probabilities] = line.split(',');
      const result = results[row];
      expect(result).toMatchObject({
        row,
        input_id: `rec_${String(row).padStart(5, '0')}`,
        outputs: { label: Number(label) },
      });
      for (const [index, probability] of probabilities.entries()) {
        expect(result?.outputs.probabilities[index]).toBeCloseTo(Number(probability), 5);
      }
    }
  });

  it('writes the keys of a result in their order, compact', () => {
    const [first] = readFileSync(join(whole, 'results.jsonl'), 'utf8').split('\n');
    expect(first).toMatch(
      /^\{"input_id":"rec_00000","row":0,"label":0,"outputs":\{"label":0,"probabilities":\[0\.99/,
    );
  });

  it('says how it went', async () => {
    const { stdout, stderr } = await runCli(submitDigits(join(folder, 'text')));
    expect(stderr).toContain("input 'pixels' takes the columns 'p0' to 'p63'");
    expect(stdout).toMatch(/^Done: 1,797 rows have results, in .* rows\/s, mean batch size \d+\.\d\n/);
  });

  it('J10: is a no-op on a job that is complete', async () => {
    const before = readFileSync(join(whole, 'manifest.json'));
    const { code, stdout } = await runCli(submitDigits(whole, '--batch-size', '16', '--keep', 'label'));
    expect(code).toBe(0);
    expect(stdout).toContain('Already complete: 1,797 rows have results');
    expect(readFileSync(join(whole, 'manifest.json'))).toEqual(before);
  });

  it('takes JSON Lines, gzip and stdin, with the same results', async () => {
    const results = readResults(whole).map(({ row, outputs }) => ({ row, outputs }));
    const gzip = join(folder, 'digits.csv.gz');
    writeFileSync(gzip, gzipSync(csv));
    for (const [name, input, stdin] of [
      ['jsonl', join(DIGITS, 'digits.jsonl'), undefined],
      ['gzip', gzip, undefined],
      ['stdin', '-', csv],
    ] as const) {
      const dir = join(folder, name);
      const args = submitDigits(dir, '--batch-size', '16', '--input-file', input);
      const { code, stderr } = await runCli(args, stdin === undefined ? {} : { stdin });
      expect({ name, code, stderr }).toMatchObject({ code: 0 });
      expect(readResults(dir).map(({ row, outputs }) => ({ row, outputs }))).toEqual(results);
    }
  });

  it('J09: gives the same bytes at concurrency 1 and 8, and for small shards and large ones', async () => {
    const bytes = readFileSync(join(whole, 'results.jsonl'));
    for (const more of [
      ['--concurrency', '1'],
      ['--concurrency', '8', '--shard-rows', '16'],
    ]) {
      const dir = join(folder, `concurrency-${more.length}`);
      await runCli(submitDigits(dir, '--batch-size', '16', '--keep', 'label', ...more));
      expect(readFileSync(join(dir, 'results.jsonl')).equals(bytes)).toBe(true);
    }
  });

  it('--resume-from begins with that row', async () => {
    const dir = join(folder, 'from-327');
    const { code } = await runCli(submitDigits(dir, '--resume-from', '327'));
    expect(code).toBe(0);
    const results = readResults(dir);
    expect(results).toHaveLength(1797 - 327);
    expect(results[0]).toMatchObject({ row: 327, input_id: 'rec_00327' });
  });

  it('prints JSON lines for programs, and nothing with --quiet', async () => {
    const json = await runCli(submitDigits(join(folder, 'json'), '--json'));
    const events = json.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events[0]).toMatchObject({ event: 'surveyed', rows: 1797 });
    expect(events.at(-1)).toMatchObject({ event: 'summary', state: 'complete', done: 1797, failed: 0 });
    expect(json.stderr).toBe('');
    const quiet = await runCli(submitDigits(join(folder, 'quiet'), '--quiet'));
    expect(quiet).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('takes its options from a job file and the environment, a flag winning', async () => {
    const jobFile = join(folder, 'job.json');
    const fields = {
      input_file: join(DIGITS, 'digits.csv'),
      model_name: 'wrong',
      output_dir: 'from-job-file',
      keep: ['label'],
    };
    writeFileSync(jobFile, JSON.stringify(fields));
    const { code, stderr } = await runCli(['submit', '--job-file', jobFile, '--model-name', 'digits'], {
      env: { MILLRACE_MODEL_REPOSITORY: join(DIGITS, 'repository'), MILLRACE_MODEL_NAME: 'wrong-too' },
    });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(readResults(join(folder, 'from-job-file'))[3]).toMatchObject({ label: 3 });
  });

  it('answers to batch-orc', async () => {
    const main = join(folder, 'batch-orc');
    symlinkSync(MAIN, main);
    const { code, stdout } = await runCli(['--help'], { main });
    expect(code).toBe(0);
    expect(stdout).toContain('Usage: batch-orc');
  });
});

describe('verify', () => {
  const verify = (dir: string, ...more: string[]) =>
    runCli(['verify', '--input-file', join(DIGITS, 'digits.csv'), '--output-dir', dir, ...more]);

  it('finds nothing wrong with a good job, and the same results when it runs rows again', async () => {
    const model = ['--model-repository', join(DIGITS, 'repository')];
    const { code, stdout } = await verify(whole, '--expected-count', '1797', '--recompute', '10', ...model);
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toContain('Run again: 10 rows, 10 the same byte for byte');
  });

  it('takes --input-csv', async () => {
    const { code } = await runCli([
      'verify',
      '--input-csv',
      join(DIGITS, 'digits.csv'),
      '--output-dir',
      whole,
    ]);
    expect(code).toBe(0);
  });

  it('names a row that was left out without a word', async () => {
    const dir = join(folder, 'without-992');
    await runCli(submitDigits(dir));
    const lines = readFileSync(join(dir, 'results.jsonl'), 'utf8').split('\n');
    writeFileSync(join(dir, 'results.jsonl'), lines.filter((_, row) => row !== 992).join('\n'));
    const { code, stdout } = await verify(dir, '--expected-count', '1797');
    expect(code).toBe(1);
    expect(stdout).toContain("missing rows:\n  'rec_00992', row 992\n");
    expect(stdout).toContain('expected 1797 rows, got 1796');
  });

  it('takes every format of results', async () => {
    for (const format of ['csv', 'npy']) {
      const dir = join(folder, format);
      await runCli(submitDigits(dir, '--output-format', format, '--keep', 'label'));
      const model = ['--model-repository', join(DIGITS, 'repository')];
      const { code, stdout } = await verify(dir, '--recompute', '5', ...model);
      expect({ format, code, stdout }).toMatchObject({ code: 0 });
    }
  });
});

it('status says how far a job is', async () => {
  const { code, stdout } = await runCli(['status', '--output-dir', whole, '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ state: 'complete', done: 1797, total: 1797, failed: 0 });
});
