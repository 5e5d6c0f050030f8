import { expect, it } from 'vitest';
import { MillraceError } from '../../base/errors.ts';
import type { JobEvent, JobProgress } from '../../batch/job-events.ts';
import { eventToJson } from './event-json.ts';
import { eventText, progressText } from './event-text.ts';

const PROGRESS: JobProgress = {
  jobId: 'job_1',
  done: 1000,
  failed: 24,
  total: 1797,
  rowsPerSecond: 9299.6,
  etaSeconds: 0.083,
};

const ERROR = new MillraceError('INSTANCE_FAILED', "instance 'digits_0' ended");

it.each<[JobEvent, string | undefined, object | undefined]>([
  [
    { kind: 'surveyed', rows: 1797, bytes: 284735, columns: ['id'] },
    '1,797 rows in the input',
    { event: 'surveyed', rows: 1797, bytes: 284735 },
  ],
  [{ kind: 'notice', message: 'look' }, 'look', { event: 'notice', message: 'look' }],
  [
    { kind: 'planned', shards: 8, shardRows: 256, alreadyDone: 0 },
    '8 shards of 256 rows',
    { event: 'planned', shards: 8, shard_rows: 256, already_done: 0 },
  ],
  [
    { kind: 'planned', shards: 1, shardRows: 256, alreadyDone: 1 },
    '1 shard of 256 rows, 1 row done already',
    { event: 'planned', shards: 1, shard_rows: 256, already_done: 1 },
  ],
  [
    { kind: 'retry', attempt: 2, error: ERROR },
    "try 2 failed, trying again: instance 'digits_0' ended",
    { event: 'retry', attempt: 2, reason: 'INSTANCE_FAILED', message: "instance 'digits_0' ended" },
  ],
  [
    { kind: 'progress', progress: PROGRESS },
    undefined,
    {
      event: 'progress',
      job_id: 'job_1',
      done: 1000,
      failed: 24,
      total: 1797,
      rows_per_second: 9300,
      eta_seconds: 0.1,
    },
  ],
  [{ kind: 'shard-recorded', shard: 3 }, undefined, undefined],
  [{ kind: 'finalising' }, undefined, undefined],
])('%j', (event, text, json) => {
  expect(eventText(event)).toBe(text);
  expect(eventToJson(event)).toEqual(json);
});

it('progress in a line', () => {
  expect(progressText(PROGRESS)).toBe('1,024 of 1,797 rows (56 %), 9,300 rows/s, 0.1 s left, 24 failed');
  expect(progressText({ ...PROGRESS, failed: 0, etaSeconds: undefined })).toBe(
    '1,000 of 1,797 rows (55 %), 9,300 rows/s',
  );
});
