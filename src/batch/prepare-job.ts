import { basename, dirname, join } from 'node:path';
import { MillraceError } from '../base/errors.ts';
import { nearestNames, quoteNames } from '../base/nearest-names.ts';
import type { InferClient, ModelMetadata } from '../client/infer-client.ts';
import { findDuplicateIds } from './duplicate-ids.ts';
import { writeWhole } from './durable-file.ts';
import type { JobListener } from './job-events.ts';
import { checkSameJob, makeJobId } from './job-identity.ts';
import type { JobOptions } from './job-options.ts';
import { JOB_FILE, type JobFile, type JobIdentity, type OutputColumn, readJobFile } from './manifest.ts';
import { resolveMapping } from './mapping/resolve-mapping.ts';
import { describeMapping, type RowMapping } from './mapping/row-mapping.ts';
import { planShards, type ShardPlan } from './plan.ts';
import { createResultFormat } from './sink/create-result-format.ts';
import type { ResultFormat } from './sink/result-format.ts';
import type { RowSource } from './source/row-source.ts';

/** A job that can run: everything that can be wrong before the first row was looked at. */
export interface PreparedJob {
  readonly file: JobFile;
  readonly model: ModelMetadata;
  readonly mapping: RowMapping;
  readonly format: ResultFormat;
  readonly plan: ShardPlan;
}

/** Names that a result has of its own. */
const RESULT_KEYS = ['input_id', 'row', 'outputs'];

const DUPLICATE_MEMORY_BYTES = 64 << 20;
const SHOWN_DUPLICATES = 5;

/**
 * Holds model, input, mapping and output directory against each other, and writes `job.json` for a new job.
 * @throws {MillraceError} MODEL_NOT_FOUND and the like, MAPPING_INVALID, ID_DUPLICATE, JOB_MISMATCH, USAGE.
 */
export async function prepareJob(
  options: JobOptions,
  source: RowSource,
  client: InferClient,
  listener: JobListener,
): Promise<PreparedJob> {
  const model = await client.modelMetadata(options.modelName, options.modelVersion);
  const { mapping, notices } = resolveMapping({
    model,
    survey: source.survey,
    specs: options.map,
    idColumn: options.idColumn,
    keep: options.keep,
    baseDir: options.inputFile === '-' ? process.cwd() : dirname(options.inputFile),
  });
  for (const message of notices) {
    listener({ kind: 'notice', message });
  }
  refuseReservedNames(options.keep);
  const outputs = chooseOutputs(model, options.outputs);
  const format = createResultFormat(options.outputFormat, outputs, options.keep);
  const existing = await readJobFile(options.outputDir);
  const firstRow = chooseFirstRow(options, existing, source, listener);
  const batchSize = chooseBatchSize(options, model, listener);
  const plan = planShards({
    rows: source.survey.rows,
    textBytes: source.survey.textBytes,
    firstRow,
    batchSize,
    // What was chosen once stays, should a later version choose otherwise.
    shardRows: options.shardRows ?? existing?.identity.shard_rows,
  });
  const identity: JobIdentity = {
    input: describeInput(options, source),
    model: { name: model.name, version: String(model.version), sha256: model.sha256 ?? null },
    mapping: describeMapping(mapping),
    first_row: plan.firstRow,
    batch_size: batchSize,
    shard_rows: plan.shardRows,
    output_format: options.outputFormat,
    outputs,
    id_column: options.idColumn ?? null,
    keep: options.keep,
    allow_non_finite: options.allowNonFinite,
  };
  if (existing !== undefined) {
    checkSameJob(existing, identity, options.jobId, options.outputDir);
    return { file: existing, model, mapping, format, plan };
  }
  if (!options.allowDuplicateIds) {
    await refuseDuplicateIds(options, source, mapping, firstRow);
  }
  const file: JobFile = {
    job_id: options.jobId ?? makeJobId(identity),
    input_name: basename(options.inputFile),
    identity,
  };
  await writeWhole(join(options.outputDir, JOB_FILE), `${JSON.stringify(file, undefined, 2)}\n`);
  return { file, model, mapping, format, plan };
}

function refuseReservedNames(keep: readonly string[]): void {
  const reserved = keep.find((name) => RESULT_KEYS.includes(name));
  if (reserved !== undefined) {
    throw new MillraceError(
      'MAPPING_INVALID',
      `column '${reserved}' cannot be kept: results have '${reserved}' of their own. Rename the column`,
    );
  }
}

function chooseOutputs(model: ModelMetadata, names: readonly string[]): readonly OutputColumn[] {
  const known = model.outputs.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const nearest = nearestNames(unknown, known);
    const hint = nearest.length > 0 ? `did you mean ${quoteNames(nearest)}?` : `it has ${quoteNames(known)}`;
    throw new MillraceError('OUTPUT_UNKNOWN', `model '${model.name}' has no output '${unknown}': ${hint}`);
  }
  return model.outputs
    .filter(({ name }) => names.length === 0 || names.includes(name))
    .map(({ name, datatype, dims }) => ({ name, datatype, dims }));
}

/**
 * `--resume-from` says where a new job begins. A directory knows better what it has: a job that began earlier is simply
 * continued, so that no row before N is lost either.
 */
function chooseFirstRow(
  { resumeFrom, outputDir }: JobOptions,
  existing: JobFile | undefined,
  { survey }: RowSource,
  listener: JobListener,
): number {
  if (resumeFrom > survey.rows) {
    throw new MillraceError(
      'USAGE',
      `--resume-from ${resumeFrom} is behind the last row: the input has ${survey.rows} rows`,
    );
  }
  const begun = existing?.identity.first_row ?? resumeFrom;
  if (begun < resumeFrom) {
    listener({
      kind: 'notice',
      message:
        `'${outputDir}' holds a job that began with row ${begun} and knows what is done: what is missing is run, also before ` +
        `row ${resumeFrom}`,
    });
    return begun;
  }
  return resumeFrom;
}

function chooseBatchSize(
  { batchSize }: JobOptions,
  { name, maxBatchSize }: ModelMetadata,
  listener: JobListener,
): number {
  const most = Math.max(1, maxBatchSize);
  if (batchSize <= most) {
    return batchSize;
  }
  listener({
    kind: 'notice',
    message: `model '${name}' takes at most ${most} rows at once, so --batch-size is ${most} instead of ${batchSize}`,
  });
  return most;
}

function describeInput({ encoding, delimiter }: JobOptions, { survey }: RowSource): JobIdentity['input'] {
  const { format, sha256, bytes, rows } = survey;
  return { format, encoding: encoding ?? null, delimiter: delimiter ?? null, sha256, bytes, rows };
}

async function refuseDuplicateIds(
  options: JobOptions,
  source: RowSource,
  mapping: RowMapping,
  firstRow: number,
): Promise<void> {
  const duplicates = await findDuplicateIds(source, mapping, {
    memoryBytes: DUPLICATE_MEMORY_BYTES,
    spillDir: join(options.outputDir, 'input.spool-ids'),
    start: firstRow,
    limit: SHOWN_DUPLICATES + 1,
  });
  if (duplicates.length === 0) {
    return;
  }
  const shown = duplicates
    .slice(0, SHOWN_DUPLICATES)
    .map(({ id, firstLine, secondLine }) => `'${id}' on lines ${firstLine} and ${secondLine}`);
  const more = duplicates.length > SHOWN_DUPLICATES ? ' and more' : '';
  throw new MillraceError(
    'ID_DUPLICATE',
    `column '${options.idColumn}' of '${options.inputFile}' has the same id twice: ${shown.join(', ')}${more}. Make the ids ` +
      'unique, take another --id-column, or say --allow-duplicate-ids',
  );
}
