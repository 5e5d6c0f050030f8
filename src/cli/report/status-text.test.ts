import { expect, it } from 'vitest';
import type { JobStatus } from '../../batch/job-status.ts';
import { statusText, statusToJson } from './status-text.ts';

const STATUS: JobStatus = {
  job: {
    job_id: 'job_1',
    input_name: 'digits.csv',
    identity: {
      input: { format: 'csv', encoding: null, delimiter: null, sha256: 'a1', bytes: 284735, rows: 1797 },
      model: { name: 'digits', version: '1', sha256: null },
      mapping: [],
      first_row: 0,
      batch_size: 16,
      shard_rows: 256,
      output_format: 'jsonl',
      outputs: [],
      id_column: null,
      keep: [],
      allow_non_finite: false,
    },
  },
  state: 'partial',
  pid: undefined,
  total: 1797,
  done: 1020,
  failed: 4,
  nonFiniteValues: 0,
  shards: 8,
  shardsDone: 4,
  manifest: undefined,
};

it('says how far a job is', () => {
  expect(statusText(STATUS, 'batch-orc')).toBe(`Job:    job_1, partial
Input:  digits.csv, 1,797 rows, sha256 a1
Model:  digits version 1, sha256 not told
Rows:   1,024 of 1,797 (56 %), 4 failed
Shards: 4 of 8
Next:   run the batch-orc submit that began it again, it continues
`);
});

it.each<[Partial<JobStatus>, RegExp]>([
  [{ state: 'running', pid: 4711 }, /^Job: +job_1, running by process 4711\n(?!.*Next)/s],
  [{ state: 'complete', failed: 4 }, /Next: +the same millrace submit with --retry-failed runs/],
  [{ state: 'complete', failed: 0 }, /Next: +millrace verify holds/],
])('says what comes next: %j', (changed, text) => {
  expect(statusText({ ...STATUS, ...changed }, 'millrace')).toMatch(text);
});

it('is one object for programs', () => {
  expect(statusToJson(STATUS)).toEqual({
    event: 'status',
    job_id: 'job_1',
    state: 'partial',
    pid: null,
    input: { name: 'digits.csv', ...STATUS.job.identity.input },
    model: STATUS.job.identity.model,
    total: 1797,
    done: 1020,
    failed: 4,
    non_finite_values: 0,
    shards: 8,
    shards_done: 4,
  });
});
