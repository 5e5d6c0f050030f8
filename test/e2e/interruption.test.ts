import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { DIGITS, makeTestFolder, runCli, submitDigits } from './run-cli.ts';

const folder = makeTestFolder();
const input = join(folder, 'many.csv');
const whole = join(folder, 'whole');

/** The digits often enough that a job can be interrupted in the middle. */
beforeAll(async () => {
  const [header, ...rows] = readFileSync(join(DIGITS, 'digits.csv'), 'utf8').trimEnd().split('\n');
  writeFileSync(input, [header, ...Array.from({ length: 20 }, () => rows).flat()].join('\n'));
  expect(await runCli(submitDigits(whole, '--input-file', input))).toMatchObject({ code: 0 });
});

/** Sends a signal once some rows are through. */
function interrupt(dir: string, signal: NodeJS.Signals) {
  let sent = false;
  return runCli(submitDigits(dir, '--input-file', input, '--json', '--concurrency', '2'), {
    onLine(line, child) {
      const event = JSON.parse(line);
      if (!sent && event.event === 'progress' && event.done > 1000) {
        sent = true;
        child.kill(signal);
      }
    },
  });
}

async function expectSameBytesAfterResume(dir: string): Promise<void> {
  const { code, stdout } = await runCli(submitDigits(dir, '--input-file', input));
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Done: 35,940 rows have results'),
  });
  for (const file of ['results.jsonl', 'manifest.json']) {
    expect(readFileSync(join(dir, file)).equals(readFileSync(join(whole, file))), file).toBe(true);
  }
}

it('J05: after kill -9 the same command goes on and gives the same bytes', async () => {
  const dir = join(folder, 'killed');
  expect((await interrupt(dir, 'SIGKILL')).signal).toBe('SIGKILL');
  const status = await runCli(['status', '--output-dir', dir, '--json']);
  expect(JSON.parse(status.stdout)).toMatchObject({ state: 'partial', total: 35940 });
  await expectSameBytesAfterResume(dir);
});

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s keeps what is done, says how to go on, and leaves with %d', async (signal, exitCode) => {
  const dir = join(folder, signal);
  const { code, stdout } = await interrupt(dir, signal);
  expect(code).toBe(exitCode);
  const summary = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
  expect(summary).toMatchObject({
    event: 'summary',
    state: 'partial',
    stopped_by: 'signal',
    result_files: [],
  });
  await expectSameBytesAfterResume(dir);
});
