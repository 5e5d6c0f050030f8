import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOnnxRuntimeBackend } from '../../src/backend/onnxruntime/onnxruntime-backend.ts';
import { runJob } from '../../src/batch/job.ts';
import type { JobEvent } from '../../src/batch/job-events.ts';
import type { JobOptions } from '../../src/batch/job-options.ts';
import {
  createJobFolder,
  type JobFolder,
  jobOptions,
  readFolder,
  readJsonLines,
} from '../../src/batch/testing/job-folder.ts';
import { createInProcessClient } from '../../src/client/in-process-client.ts';
import { createInferenceEngine, type InferenceEngine } from '../../src/engine/inference-engine.ts';

const CHILD = fileURLToPath(new URL('job-child.ts', import.meta.url));
const DIGITS = fileURLToPath(new URL('../../examples/digits/', import.meta.url));
const ROWS = 1000;
const BATCH_SIZE = 16;

let folder: JobFolder;
let input: string;
let engine: InferenceEngine;
let expected: ReadonlyMap<string, string>;

beforeAll(async () => {
  folder = createJobFolder();
  const lines = readFileSync(join(DIGITS, 'digits.csv'), 'utf8').split('\n');
  input = folder.writeInput('digits.csv', `${lines.slice(0, ROWS + 1).join('\n')}\n`);
  engine = createInferenceEngine({
    modelRepositories: [join(DIGITS, 'repository')],
    backends: [createOnnxRuntimeBackend()],
    defaultMaxBatchSize: BATCH_SIZE,
  });
  await engine.loadModel('digits');
  await run(optionsFor('uninterrupted'));
  expected = readFolder(join(folder.path, 'uninterrupted'));
});

afterAll(async () => {
  await engine.close();
  folder.remove();
});

/** Ten shards of a hundred rows. */
function optionsFor(name: string): JobOptions {
  return jobOptions(input, join(folder.path, name), {
    modelName: 'digits',
    idColumn: 'id',
    keep: ['label'],
    shardRows: 100,
    batchSize: BATCH_SIZE,
  });
}

function run(options: JobOptions) {
  return runJob(options, createInProcessClient(engine), () => {}, new AbortController().signal);
}

/** Runs the job in a process that dies at the count-th event of a kind. */
function crash(options: JobOptions, kind: JobEvent['kind'], count: number): void {
  const args = ['--import', 'tsx', CHILD, JSON.stringify(options), JSON.stringify({ kind, count })];
  const child = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(child).toMatchObject({ signal: 'SIGKILL', stderr: '' });
}

describe('J05: killed with SIGKILL, a job goes on to the same bytes', () => {
  it.each([
    ['planned', 1],
    ['shard-writing', 4],
    ['shard-synced', 1],
    ['shard-renamed', 5],
    ['shard-recorded', 10],
    ['finalising', 1],
  ] as const)('at %s, number %d', async (kind, count) => {
    const options = optionsFor(kind);
    crash(options, kind, count);
    const resumed = await run(options);
    expect(resumed).toMatchObject({ state: 'complete', alreadyComplete: false, done: ROWS, failed: 0 });
    expect(readFolder(options.outputDir)).toEqual(expected);
    const lines = readJsonLines(join(options.outputDir, 'results.jsonl'));
    expect(lines.map(({ row }) => row)).toEqual(Array.from({ length: ROWS }, (_, row) => row));
    expect(new Set(lines.map(({ input_id }) => input_id)).size).toBe(ROWS);
    expect(await run(options)).toMatchObject({ state: 'complete', alreadyComplete: true, done: ROWS });
    expect(readFolder(options.outputDir)).toEqual(expected);
  });

  it('three times in one job', async () => {
    const options = optionsFor('often');
    for (const kind of ['shard-recorded', 'shard-renamed', 'shard-recorded'] as const) {
      crash(options, kind, 3);
    }
    expect((await run(options)).resumedRows).toBeGreaterThanOrEqual(500);
    expect(readFolder(options.outputDir)).toEqual(expected);
  });
});
