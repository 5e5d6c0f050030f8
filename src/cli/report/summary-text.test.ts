import { describe, expect, it } from 'vitest';
import type { JobSummary } from '../../batch/job-events.ts';
import { summaryToJson } from './event-json.ts';
import { summaryText } from './summary-text.ts';

const COMPLETE: JobSummary = {
  jobId: 'job_1',
  state: 'complete',
  stoppedBy: undefined,
  alreadyComplete: false,
  total: 1797,
  done: 1797,
  failed: 0,
  resumedRows: 0,
  nonFiniteValues: 0,
  retries: 0,
  elapsedSeconds: 0.22,
  rowsPerSecond: 8175.2,
  meanBatchSize: 15.91,
  outputDir: '/home/me/out',
  resultFiles: ['/home/me/out/results.jsonl'],
  errorsFile: undefined,
};

const INVOCATION = {
  program: 'millrace',
  args: ['submit', '--input-file', 'my digits.csv', '--output-dir', 'out'],
  cwd: '/home/me',
  inputFile: 'my digits.csv',
};

const COMMAND = "  millrace submit --input-file 'my digits.csv' --output-dir out";

const linesOf = (changed: Partial<JobSummary>, invocation = INVOCATION): string[] =>
  summaryText({ ...COMPLETE, ...changed }, invocation).split('\n');

describe('a complete job', () => {
  it('says how much, how fast, where, and how to check it', () => {
    expect(linesOf({})).toEqual([
      'Done: 1,797 rows have results, in 0.2 s, 8,175 rows/s, mean batch size 15.9',
      'Results: out/results.jsonl',
      'Check them:',
      "  millrace verify --input-file 'my digits.csv' --output-dir out",
      '',
    ]);
  });

  it('says what is remarkable', () => {
    const changed = {
      done: 1794,
      failed: 3,
      resumedRows: 256,
      retries: 2,
      nonFiniteValues: 1200,
      meanBatchSize: undefined,
      errorsFile: '/home/me/out/errors.jsonl',
    };
    expect(linesOf(changed).slice(0, 5)).toEqual([
      'Done: 1,794 rows have results, 256 of them from before, in 0.2 s, 8,175 rows/s, 2 requests sent again',
      'NaN or infinite: 1,200 values',
      'Results: out/results.jsonl',
      '3 rows failed, out/errors.jsonl says why. Run them again:',
      `${COMMAND} --retry-failed`,
    ]);
  });

  it('does not propose a flag twice', () => {
    const args = [...INVOCATION.args, '--retry-failed'];
    expect(linesOf({ failed: 1 }, { ...INVOCATION, args })).toContain(`${COMMAND} --retry-failed`);
  });

  it('says that it was complete before', () => {
    expect(linesOf({ alreadyComplete: true })[0]).toBe(
      'Already complete: 1,797 rows have results, nothing was run',
    );
  });
});

describe('a job that was stopped', () => {
  const partial = { state: 'partial', done: 1000, failed: 24, resultFiles: [] } as const;

  it('says how to go on', () => {
    expect(linesOf({ ...partial, stoppedBy: 'signal' }, { ...INVOCATION, program: 'batch-orc' })).toEqual([
      'Stopped: it was interrupted. 1,024 of 1,797 rows are done and kept in out',
      'Go on with the same command:',
      COMMAND.replace('millrace', 'batch-orc'),
      '',
    ]);
  });

  it('says where the errors are that were too many', () => {
    const changed = { ...partial, stoppedBy: 'max-errors', errorsFile: '/home/me/out/errors.jsonl' } as const;
    expect(linesOf(changed)).toEqual([
      'Stopped: 24 rows failed, more than --max-errors allows. 1,024 of 1,797 rows are done and kept in out',
      'Errors: out/errors.jsonl',
      'Go on with a larger --max-errors:',
      COMMAND,
      '',
    ]);
  });
});

it('is one object for programs', () => {
  expect(summaryToJson(COMPLETE)).toEqual({
    event: 'summary',
    job_id: 'job_1',
    state: 'complete',
    stopped_by: null,
    already_complete: false,
    total: 1797,
    done: 1797,
    failed: 0,
    resumed_rows: 0,
    non_finite_values: 0,
    retries: 0,
    elapsed_seconds: 0.22,
    rows_per_second: 8175.2,
    mean_batch_size: 15.91,
    output_dir: '/home/me/out',
    result_files: ['/home/me/out/results.jsonl'],
    errors_file: null,
  });
});
