import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runJob } from '../job.ts';
import { createFakeClient } from '../testing/fake-client.ts';
import {
  createFinishedJobs,
  type DamageJob,
  editLines,
  type FinishedJobs,
  shownProblems,
} from '../testing/finished-jobs.ts';
import { jobOptions } from '../testing/job-folder.ts';

let jobs: FinishedJobs;

beforeAll(() => {
  jobs = createFinishedJobs(100);
});

afterAll(() => jobs.folder.remove());

describe('J10: a job that is not finished', () => {
  /** Three of five shards are done. */
  beforeAll(async () => {
    const stop = new AbortController();
    let recorded = 0;
    const options = jobOptions(jobs.input, join(jobs.folder.path, 'partial'), {
      idColumn: 'id',
      shardRows: 20,
      concurrency: 1,
    });
    await runJob(
      options,
      createFakeClient(),
      (event) => {
        recorded += event.kind === 'shard-recorded' ? 1 : 0;
        if (recorded === 3) {
          stop.abort();
        }
      },
      stop.signal,
    );
  });

  const part = 'shards/000001-results.jsonl';

  it('is partial, with the rows that are missing', async () => {
    const report = await jobs.verify('partial');
    expect(shownProblems(report)).toMatchObject({
      partial: [expect.stringContaining('of 100 rows are recorded as done; run the millrace submit')],
      missing: [expect.stringMatching(/^rows \d+ to 99$/)],
    });
    expect(report.results).toBeGreaterThanOrEqual(60);
    expect(report.results).toBeLessThan(100);
  });

  it.each<[string, DamageJob, string]>([
    ['is empty', (path) => truncateSync(path(part)), 'has 0 bytes, expected'],
    ['ends in half a line', (path) => truncateSync(path(part), 100), 'has 100 bytes, expected'],
    ['is gone', (path) => rmSync(path(part)), 'is missing'],
    [
      'has other bytes',
      (path) => editLines(path(part), (lines) => lines.toReversed()),
      'has another checksum',
    ],
    [
      'is full, but not recorded',
      (path) =>
        editLines(path('manifest.jsonl'), (lines) => lines.filter((line) => !line.includes('"shard":1,'))),
      "'shards/000001-results.jsonl' is there, but its shard is not recorded as done",
    ],
    [
      'is recorded with other rows',
      (path) =>
        editLines(path('manifest.jsonl'), (lines) =>
          lines.map((line) => line.replace('"start":20', '"start":21')),
        ),
      'its rows are not those of the plan',
    ],
    [
      'is recorded with another count',
      (path) =>
        editLines(path('manifest.jsonl'), (lines) =>
          lines.map((line) => (line.includes('"shard":1,') ? line.replace('"done":20', '"done":19') : line)),
        ),
      'its rows are not those of the plan',
    ],
    [
      'is recorded for another job',
      (path) =>
        editLines(path('manifest.jsonl'), (lines) =>
          lines.map((line) =>
            line.includes('"shard":1,') ? line.replace(/"job":"\w+"/, '"job":"0"') : line,
          ),
        ),
      'records it for another job',
    ],
  ])('finds a shard that %s', async (_, change, problem) => {
    const report = await jobs.verify(jobs.damage('partial', change));
    expect(shownProblems(report).shard).toEqual([expect.stringContaining(problem)]);
    expect(shownProblems(report).missing).toContain('rows 20 to 39');
  });

  it('does not count a line of its manifest that is cut', async () => {
    const copy = jobs.damage('partial', (path) => {
      const text = readFileSync(path('manifest.jsonl'), 'utf8');
      writeFileSync(path('manifest.jsonl'), text.slice(0, -2));
    });
    const [whole, cut] = [await jobs.verify('partial'), await jobs.verify(copy)];
    expect(cut.results).toBe(whole.results - 20);
  });
});
