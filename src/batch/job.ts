/**
 * A batch job from beginning to end:
 *
 *     open input -> prepare (model, mapping, identity, plan) -> the shards that are not done -> finalise
 *
 * The output directory is the only state. It is new, or holds a job that is running (`manifest.jsonl`), or one that is
 * complete (`manifest.json`); a job that is complete can be opened again to run its failed rows once more.
 */
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import pLimit from 'p-limit';
import { MillraceError } from '../base/errors.ts';
import type { InferClient } from '../client/infer-client.ts';
import { readFileFacts } from './durable-file.ts';
import { finaliseJob, locateInResults, locateInShards, type PartLocator } from './finalise.ts';
import { createBatchFormer } from './form-batches.ts';
import type { JobListener, JobSummary } from './job-events.ts';
import { lockJob } from './job-lock.ts';
import type { JobOptions } from './job-options.ts';
import { ProgressTracker } from './job-progress.ts';
import { countRows, ERRORS_FILE, MANIFEST_FILE, type Manifest, readManifest } from './manifest.ts';
import { prepareOutputDir } from './output-dir.ts';
import { type Shard, type ShardPlan, shardAt } from './plan.ts';
import { type PreparedJob, prepareJob } from './prepare-job.ts';
import { finishPublishing, removeShards } from './publish.ts';
import { mergeRetried, readFailedRows } from './retry-rows.ts';
import { runShard, type ShardRunner } from './run-shard.ts';
import { runShards, type ShardWork, type StopReason } from './run-shards.ts';
import { openShardStore, type ShardStore } from './shard-store.ts';
import { openInput } from './source/open-input.ts';
import type { RowSource } from './source/row-source.ts';

/** Requests in flight for each core: an instance a core, each with one running and one formed, and as many waiting. */
const REQUESTS_PER_CORE = 4;

/** Bounds of the shards in progress: rows of each are in memory. */
const MIN_SHARDS_IN_PROGRESS = 2;
const MAX_SHARDS_IN_PROGRESS = 8;

/**
 * Runs a job, or what is missing of it.
 * @param signal stops it: what is under way is dropped, what is done is kept, and the same call continues.
 * @throws {MillraceError} INPUT_UNREADABLE, MAPPING_INVALID, ID_DUPLICATE, JOB_MISMATCH, JOB_LOCKED, OUTPUT_UNWRITABLE,
 *   USAGE, and those of the model. A row that fails is no error of the job.
 */
export async function runJob(
  options: JobOptions,
  client: InferClient,
  listener: JobListener,
  signal: AbortSignal,
): Promise<JobSummary> {
  const outputDir = resolve(options.outputDir);
  await prepareOutputDir(outputDir);
  const unlock = await lockJob(outputDir);
  try {
    await finishPublishing(outputDir);
    const source = await openInput({
      inputFile: options.inputFile,
      inputFormat: options.inputFormat,
      encoding: options.encoding,
      delimiter: options.delimiter,
      spoolDir: outputDir,
      signal,
      onNotice: (message) => listener({ kind: 'notice', message }),
    });
    try {
      const { rows, bytes, columns } = source.survey;
      listener({ kind: 'surveyed', rows, bytes, columns });
      const job = await prepareJob({ ...options, outputDir }, source, client, listener);
      return await new JobRun({ ...options, outputDir }, job, source, client, listener, signal).run();
    } finally {
      await source.close();
    }
  } finally {
    await unlock();
  }
}

class JobRun {
  readonly #options: JobOptions;
  readonly #job: PreparedJob;
  readonly #source: RowSource;
  readonly #client: InferClient;
  readonly #listener: JobListener;
  readonly #signal: AbortSignal;
  #retries = 0;

  constructor(
    options: JobOptions,
    job: PreparedJob,
    source: RowSource,
    client: InferClient,
    listener: JobListener,
    signal: AbortSignal,
  ) {
    this.#options = options;
    this.#job = job;
    this.#source = source;
    this.#client = client;
    this.#listener = listener;
    this.#signal = signal;
  }

  async run(): Promise<JobSummary> {
    const complete = await this.#readComplete();
    if (this.#options.retryFailed) {
      if (complete === undefined) {
        throw new MillraceError(
          'USAGE',
          `--retry-failed runs the failed rows of a finished job, and '${this.#options.outputDir}' has none: run the same ` +
            'command without it first',
        );
      }
      return complete.failed === 0 ? this.#summariseComplete(complete) : this.#retryFailed(complete);
    }
    return complete === undefined ? this.#runMissing() : this.#summariseComplete(complete);
  }

  /** The manifest of a finished job whose files are what it says; files that are not are done again. */
  async #readComplete(): Promise<Manifest | undefined> {
    const { outputDir } = this.#options;
    const manifest = await readManifest(outputDir);
    if (manifest === undefined) {
      return undefined;
    }
    for (const [file, expected] of Object.entries(manifest.files)) {
      const found = await readFileFacts(join(outputDir, file));
      if (found?.bytes !== expected.bytes || found.sha256 !== expected.sha256) {
        this.#listener({ kind: 'notice', message: `'${file}' is missing or damaged: the job is done again` });
        await rm(join(outputDir, MANIFEST_FILE), { force: true });
        await removeShards(outputDir);
        return undefined;
      }
    }
    return manifest;
  }

  async #runMissing(): Promise<JobSummary> {
    const { plan } = this.#job;
    const store = await this.#openStore();
    const before = countRows(store.records.values());
    this.#tellPlan(before.done + before.failed);
    const tracker = this.#track(before);
    const runner = this.#createRunner(tracker);
    const stopped = await this.#runShards(missingShards(plan, store), store, before.failed, {
      selectRows: async (_shard, rows) => rows,
      run: (_shard, rows, signal) => runShard(rows, runner, signal),
    });
    if (stopped !== undefined) {
      return this.#summarisePartial(stopped, store, before, tracker);
    }
    this.#listener({ kind: 'finalising' });
    const records = [...store.records.values()].sort((a, b) => a.shard - b.shard);
    const manifest = await finaliseJob(
      this.#options.outputDir,
      this.#job.file,
      this.#job.format,
      records,
      locateInShards(this.#options.outputDir),
    );
    return this.#summarise(manifest, before, tracker);
  }

  async #retryFailed(complete: Manifest): Promise<JobSummary> {
    const { outputDir } = this.#options;
    const { format } = this.#job;
    const locateBefore = locateInResults(outputDir, complete, format);
    const store = await this.#openStore();
    const affected = complete.shards.filter(({ failed }) => failed > 0);
    const before = { done: complete.done, failed: 0 };
    this.#tellPlan(complete.done);
    const tracker = this.#track(before);
    const runner = this.#createRunner(tracker);
    const recordOf = new Map(complete.shards.map((record) => [record.shard, record]));
    const stopped = await this.#runShards(
      affected
        .filter(({ shard }) => !store.records.has(shard))
        .map(({ shard, start, end }) => ({ index: shard, start, end })),
      store,
      0,
      {
        selectRows: async (shard, rows) => {
          const record = recordOf.get(shard.index);
          const failed = record === undefined ? new Set() : await readFailedRows(record, locateBefore);
          return rows.filter(({ row }) => failed.has(row));
        },
        run: async (shard, rows, signal) => {
          const outcome = await runShard(rows, runner, signal);
          const record = recordOf.get(shard.index);
          return record === undefined ? outcome : mergeRetried(record, outcome, format, locateBefore);
        },
      },
    );
    if (stopped !== undefined) {
      return this.#summarisePartial(stopped, store, before, tracker);
    }
    this.#listener({ kind: 'finalising' });
    const locateAfter = locateInShards(outputDir);
    const locate: PartLocator = (record, file) =>
      store.records.has(record.shard) ? locateAfter(record, file) : locateBefore(record, file);
    const records = complete.shards.map((record) => store.records.get(record.shard) ?? record);
    const manifest = await finaliseJob(outputDir, this.#job.file, format, records, locate);
    return this.#summarise(manifest, before, tracker);
  }

  #openStore(): Promise<ShardStore> {
    const { file, plan, format } = this.#job;
    return openShardStore({
      outputDir: this.#options.outputDir,
      identity: file.identity,
      plan,
      resultFiles: format.files,
      listener: this.#listener,
    });
  }

  #tellPlan(alreadyDone: number): void {
    const { shardCount: shards, shardRows } = this.#job.plan;
    this.#listener({ kind: 'planned', shards, shardRows, alreadyDone });
  }

  #track(before: { readonly done: number; readonly failed: number }): ProgressTracker {
    return new ProgressTracker(this.#job.file.job_id, this.#total, before, this.#listener);
  }

  get #total(): number {
    return this.#job.plan.rows - this.#job.plan.firstRow;
  }

  get #concurrency(): number {
    return this.#options.concurrency ?? REQUESTS_PER_CORE * availableParallelism();
  }

  #createRunner(tracker: ProgressTracker): ShardRunner {
    const { model, mapping, format, file } = this.#job;
    return {
      former: createBatchFormer({
        mapping,
        model,
        batchSize: this.#options.batchSize,
        allowNonFinite: this.#options.allowNonFinite,
        totalRows: this.#source.survey.rows,
      }),
      format,
      send: {
        client: this.#client,
        model,
        outputs: file.identity.outputs,
        maxRetries: this.#options.maxRetries,
        onRetry: (attempt, error) => {
          this.#retries += 1;
          this.#listener({ kind: 'retry', attempt, error });
        },
      },
      limit: pLimit(this.#concurrency),
      timeoutSeconds: this.#options.timeoutSeconds,
      onRows: (done, failed) => tracker.add(done, failed),
    };
  }

  #runShards(
    shards: Iterable<Shard>,
    store: ShardStore,
    failedBefore: number,
    work: Pick<ShardWork, 'selectRows' | 'run'>,
  ): Promise<StopReason | undefined> {
    const { maxErrors, batchSize } = this.#options;
    const wanted = Math.ceil((2 * this.#concurrency * batchSize) / this.#job.plan.shardRows) + 1;
    let failed = failedBefore;
    return runShards(
      shards,
      {
        ...work,
        source: this.#source,
        store,
        maxInProgress: Math.min(MAX_SHARDS_IN_PROGRESS, Math.max(MIN_SHARDS_IN_PROGRESS, wanted)),
        isEnough: (record) => {
          failed += record.failed;
          return maxErrors !== undefined && failed > maxErrors;
        },
      },
      this.#signal,
    );
  }

  #summarise(
    manifest: Manifest,
    before: { readonly done: number; readonly failed: number },
    tracker: ProgressTracker,
  ): JobSummary {
    tracker.tell();
    return {
      ...this.#commonSummary(tracker),
      state: 'complete',
      stoppedBy: undefined,
      alreadyComplete: false,
      done: manifest.done,
      failed: manifest.failed,
      resumedRows: before.done + before.failed,
      nonFiniteValues: manifest.non_finite_values,
      ...this.#filesOf(manifest),
    };
  }

  #summariseComplete(manifest: Manifest): JobSummary {
    const before = { done: manifest.done, failed: manifest.failed };
    return {
      ...this.#summarise(manifest, before, this.#track(before)),
      alreadyComplete: true,
      rowsPerSecond: 0,
      meanBatchSize: undefined,
    };
  }

  #summarisePartial(
    stoppedBy: StopReason,
    store: ShardStore,
    before: { readonly done: number; readonly failed: number },
    tracker: ProgressTracker,
  ): JobSummary {
    const now = countRows(store.records.values());
    return {
      ...this.#commonSummary(tracker),
      state: 'partial',
      stoppedBy,
      alreadyComplete: false,
      done: now.done,
      failed: now.failed,
      resumedRows: before.done + before.failed,
      nonFiniteValues: now.nonFiniteValues,
      resultFiles: [],
      errorsFile: undefined,
    };
  }

  #commonSummary(
    tracker: ProgressTracker,
  ): Pick<
    JobSummary,
    'jobId' | 'total' | 'retries' | 'elapsedSeconds' | 'rowsPerSecond' | 'meanBatchSize' | 'outputDir'
  > {
    const executed = this.#client.executionStatistics(this.#job.model.name);
    return {
      jobId: this.#job.file.job_id,
      total: this.#total,
      retries: this.#retries,
      elapsedSeconds: tracker.elapsedSeconds,
      rowsPerSecond: tracker.snapshot().rowsPerSecond,
      meanBatchSize:
        executed === undefined || executed.executions === 0 ? undefined : executed.rows / executed.executions,
      outputDir: this.#options.outputDir,
    };
  }

  #filesOf(manifest: Manifest): Pick<JobSummary, 'resultFiles' | 'errorsFile'> {
    const { outputDir } = this.#options;
    return {
      resultFiles: this.#job.format.files.map((file) => join(outputDir, file)),
      errorsFile: manifest.failed > 0 ? join(outputDir, ERRORS_FILE) : undefined,
    };
  }
}

function* missingShards(plan: ShardPlan, store: ShardStore): Iterable<Shard> {
  for (let index = 0; index < plan.shardCount; index += 1) {
    if (!store.records.has(index)) {
      yield shardAt(plan, index);
    }
  }
}
