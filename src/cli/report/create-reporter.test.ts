import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../base/testing/manual-clock.ts';
import type { JobProgress } from '../../batch/job-events.ts';
import { createReporter } from './create-reporter.ts';
import { chooseReporter, type ReporterKind } from './job-reporter.ts';

class TextSink extends Writable {
  text = '';
  readonly isTTY: boolean;

  constructor(isTTY: boolean) {
    super();
    this.isTTY = isTTY;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }

  /** What the bar asks a terminal to do, besides writing. */
  cursorTo(): boolean {
    return this.write('\r');
  }

  clearLine(): boolean {
    return true;
  }
}

function open(kind: ReporterKind) {
  const stdout = new TextSink(false);
  const stderr = new TextSink(kind === 'bar');
  const clock = new ManualClock();
  return { stdout, stderr, clock, reporter: createReporter(kind, { stdout, stderr, clock }) };
}

function progress(done: number, changed: Partial<JobProgress> = {}) {
  const rates = { rowsPerSecond: 100, etaSeconds: (1000 - done) / 100 };
  return {
    kind: 'progress',
    progress: { jobId: 'job_1', done, failed: 0, total: 1000, ...rates, ...changed },
  } as const;
}

it.each([
  [{ quiet: false, json: false, isTerminal: true }, 'bar'],
  [{ quiet: false, json: false, isTerminal: false }, 'lines'],
  [{ quiet: true, json: false, isTerminal: true }, 'quiet'],
  [{ quiet: false, json: true, isTerminal: true }, 'json'],
  [{ quiet: true, json: true, isTerminal: true }, 'json'],
] as const)('%j is shown as %s', (choice, kind) => {
  expect(chooseReporter(choice)).toBe(kind);
});

describe('lines', () => {
  it('go to stderr, those of progress every five seconds', async () => {
    const { stdout, stderr, clock, reporter } = open('lines');
    reporter.onEvent({ kind: 'planned', shards: 10, shardRows: 100, alreadyDone: 0 });
    reporter.onEvent(progress(100));
    await clock.advance(4_900_000);
    reporter.onEvent(progress(490));
    await clock.advance(100_000);
    reporter.onEvent(progress(500));
    reporter.onEvent(progress(510));
    reporter.note('stopping');
    reporter.close();
    expect(stderr.text).toBe(
      '10 shards of 100 rows\n500 of 1,000 rows (50 %), 100 rows/s, 5.0 s left\nstopping\n',
    );
    expect(stdout.text).toBe('');
  });
});

describe('JSON', () => {
  it('goes to stdout, an object a line, and nothing to stderr', () => {
    const { stdout, stderr, reporter } = open('json');
    reporter.onEvent({ kind: 'shard-synced', shard: 1 });
    reporter.onEvent(progress(500));
    reporter.note('line\nbreak');
    reporter.close();
    expect(
      stdout.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      expect.objectContaining({ event: 'progress', done: 500 }),
      { event: 'notice', message: 'line\nbreak' },
    ]);
    expect(stderr.text).toBe('');
  });
});

describe('quiet', () => {
  it('prints nothing', () => {
    const { stdout, stderr, reporter } = open('quiet');
    reporter.onEvent(progress(500));
    reporter.note('stopping');
    reporter.close();
    expect(stdout.text + stderr.text).toBe('');
  });
});

describe('bar', () => {
  const linesOf = (stderr: TextSink): string[] =>
    stripVTControlCharacters(stderr.text)
      .split(/[\r\n]/)
      .filter((line) => line !== '');

  it('shows rows, rate, time left and errors, and makes room for other lines', () => {
    const { stdout, stderr, reporter } = open('bar');
    reporter.onEvent(progress(0, { rowsPerSecond: 0, etaSeconds: undefined }));
    reporter.note('try 1 failed, trying again');
    reporter.onEvent(progress(500, { failed: 2 }));
    reporter.close();
    reporter.close();
    const lines = linesOf(stderr);
    expect(lines).toContainEqual(expect.stringMatching(/^░{30} 0 % {2}0 of 1,000 rows {2}0 rows\/s$/));
    expect(lines).toContain('try 1 failed, trying again');
    expect(lines.at(-1)).toMatch(
      /^█{15}░{15} 50 % {2}502 of 1,000 rows {2}100 rows\/s {2}5\.0 s left {2}2 failed$/,
    );
    expect(stdout.text).toBe('');
  });

  it('is full for a job without rows', () => {
    const { stderr, reporter } = open('bar');
    reporter.onEvent(progress(0, { total: 0, etaSeconds: 0 }));
    reporter.close();
    expect(linesOf(stderr).at(-1)).toMatch(/^█{30} 100 %/);
  });
});
