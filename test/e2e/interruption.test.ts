import { mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { type CliOptions, DIGITS, makeTestFolder, runCli, submitDigits } from './run-cli.ts';

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
function interrupt(
  dir: string,
  signal: NodeJS.Signals,
  more: readonly string[] = [],
  options: CliOptions = {},
) {
  let sent = false;
  const args = submitDigits(dir, '--input-file', input, '--json', '--concurrency', '2', ...more);
  return runCli(args, {
    ...options,
    onLine(line, child) {
      const event = parseEvent(line);
      if (!sent && event?.event === 'progress' && Number(event.done) > 1000) {
        sent = true;
        child.kill(signal);
      }
    },
  });
}

/** Undefined for a line of stderr. */
function parseEvent(line: string): Readonly<Record<string, unknown>> | undefined {
  return line.startsWith('{') ? JSON.parse(line) : undefined;
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

it('a second Ctrl-C ends the program at once, with what is done kept', async () => {
  const dir = join(folder, 'twice');
  let interruptAgain = (): void => {};
  // It never answers, so that the program waits for it after the first Ctrl-C.
  const server = createServer((request) => {
    request.on('data', (text) => {
      if (String(text).includes('"state":"partial"')) {
        interruptAgain();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const url = ['--progress-callback-url', `http://127.0.0.1:${port}/`];
    const { signal } = await interrupt(dir, 'SIGINT', url, {
      onStart: (child) => {
        interruptAgain = () => child.kill('SIGINT');
      },
    });
    expect(signal).toBe('SIGKILL');
  } finally {
    server.closeAllConnections();
    server.close();
  }
  await expectSameBytesAfterResume(dir);
});

it('Ctrl-C ends the wait for stdin, and leaves nothing of it', async () => {
  const dir = join(folder, 'stdin');
  mkdirSync(dir);
  const watcher = watch(dir);
  let sent = false;
  const { code, stdout, stderr } = await runCli(submitDigits(dir, '--input-file', '-'), {
    stdin: 'open',
    onStart: (child) =>
      watcher.on('change', (_, name) => {
        if (!sent && name === 'input.spool.tmp') {
          sent = true;
          child.kill('SIGINT');
        }
      }),
  });
  watcher.close();
  expect({ code, stdout, stderr }).toEqual({
    code: 130,
    stdout: '',
    stderr: 'stopping: what is done is kept\n',
  });
  expect(readdirSync(dir)).toEqual([]);
});

it('an exception that nobody caught stops the job like a signal, and is told', async () => {
  const dir = join(folder, 'fault');
  const fault = `process.once('SIGUSR2', () => { throw new Error('unexpected'); });`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(fault)}`;
  const { code, signal, stdout } = await interrupt(dir, 'SIGUSR2', [], { env: { NODE_OPTIONS } });
  const events = stdout.trimEnd().split('\n').map(parseEvent);
  expect(events).toContainEqual({
    event: 'notice',
    message: expect.stringMatching(
      /^error INTERNAL_ERROR: an error was not handled: unexpected\ncaused by: Error/,
    ),
  });
  expect(events.at(-1)).toMatchObject({ event: 'summary', state: 'partial' });
  expect({ code, signal }).toEqual({ code: 1, signal: null });
  await expectSameBytesAfterResume(dir);
});
