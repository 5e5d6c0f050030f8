import { dirname } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import type { InferClient, ModelMetadata } from '../../client/infer-client.ts';
import { locateInResults, type PartLocator } from '../finalise.ts';
import { type BatchFormer, createBatchFormer } from '../form-batches.ts';
import type { Manifest, ShardRecord } from '../manifest.ts';
import { resolveMapping } from '../mapping/resolve-mapping.ts';
import { readPart } from '../retry-rows.ts';
import { sendBatch } from '../send-batch.ts';
import { createResultFormat } from '../sink/create-result-format.ts';
import type { ResultFormat } from '../sink/result-format.ts';
import type { RowSource, SourceRow } from '../source/row-source.ts';
import type { ProblemList } from './problem-list.ts';

/** What running some rows again gave. */
export interface Recomputation {
  /** Rows that were run again. */
  readonly rows: number;
  /** Rows whose result is the same, byte for byte. */
  readonly same: number;
  /** Nodes of the model that give another result each time; rows that differ are then no problem. */
  readonly nondeterministicNodes: readonly string[];
}

export interface RecomputeRequest {
  /** Rows to run again. */
  readonly recompute: number;
  readonly inputFile: string;
  readonly outputDir: string;
}

/**
 * Runs rows again, spread evenly over the results, each in the batch that it was in, and compares.
 * @throws {MillraceError} when the model cannot be asked.
 */
export async function recomputeRows(
  request: RecomputeRequest,
  manifest: Manifest,
  source: RowSource,
  client: InferClient,
  problems: ProblemList,
): Promise<Recomputation> {
  const { identity } = manifest;
  const model = await client.modelMetadata(identity.model.name, BigInt(identity.model.version));
  const { nondeterministicNodes } = model;
  if (
    model.sha256 !== undefined &&
    identity.model.sha256 !== null &&
    model.sha256 !== identity.model.sha256
  ) {
    problems.add(
      'recompute',
      `the model has sha256 ${model.sha256}, but the results were made with ${identity.model.sha256}`,
    );
    return { rows: 0, same: 0, nondeterministicNodes };
  }
  const format = createResultFormat(identity.output_format, identity.outputs, identity.keep);
  const former = createFormer(request, manifest, source, model);
  const locate = locateInResults(request.outputDir, manifest, format);
  let rows = 0;
  let same = 0;
  for (const { record, row } of sampleRows(manifest.shards, request.recompute)) {
    const before = await readRowParts(record, row, format, locate);
    if (before === undefined) {
      continue;
    }
    rows += 1;
    const after = await runAgain(row, source.readRows(record.start, record.end), former, format, {
      client,
      model,
      manifest,
    });
    if (after?.every((part, index) => part.equals(before[index] ?? Buffer.alloc(0)))) {
      same += 1;
    } else if (nondeterministicNodes.length === 0) {
      problems.add(
        'recompute',
        `row ${row} ${after === undefined ? 'fails now' : 'gives another result now'}`,
      );
    }
  }
  return { rows, same, nondeterministicNodes };
}

function createFormer(
  { inputFile }: RecomputeRequest,
  { identity }: Manifest,
  { survey }: RowSource,
  model: ModelMetadata,
): BatchFormer {
  const { mapping } = resolveMapping({
    model,
    survey,
    specs: identity.mapping,
    idColumn: identity.id_column ?? undefined,
    keep: identity.keep,
    baseDir: dirname(inputFile),
  });
  return createBatchFormer({
    mapping,
    model,
    batchSize: identity.batch_size,
    allowNonFinite: identity.allow_non_finite,
    totalRows: survey.rows,
  });
}

interface Sample {
  readonly record: ShardRecord;
  readonly row: number;
}

/** Rows at even distances over the shards that have results. */
function sampleRows(shards: readonly ShardRecord[], count: number): readonly Sample[] {
  const filled = shards.filter(({ done }) => done > 0);
  const total = filled.reduce((sum, { start, end }) => sum + end - start, 0);
  const wanted = Math.min(count, total);
  const samples: Sample[] = [];
  let before = 0;
  for (const record of filled) {
    const behind = before + record.end - record.start;
    while (samples.length < wanted) {
      const position = Math.floor(((samples.length + 0.5) * total) / wanted);
      if (position >= behind) {
        break;
      }
      samples.push({ record, row: record.start + position - before });
    }
    before = behind;
  }
  return samples;
}

/** The parts of one row in the result files; undefined for a row without a result. */
async function readRowParts(
  record: ShardRecord,
  row: number,
  format: ResultFormat,
  locate: PartLocator,
): Promise<readonly Buffer[] | undefined> {
  const parts = await Promise.all(format.files.map((file) => readPart(locate(record, file))));
  return format.splitRows(parts).find((candidate) => candidate.row === row)?.parts;
}

/** The parts that the row gives now; undefined when it fails. */
async function runAgain(
  row: number,
  shard: AsyncIterable<readonly SourceRow[]>,
  former: BatchFormer,
  format: ResultFormat,
  job: { readonly client: InferClient; readonly model: ModelMetadata; readonly manifest: Manifest },
): Promise<readonly Buffer[] | undefined> {
  const { batches } = await former.formBatches(shard);
  const batch = batches.find(({ rows }) => rows.some((identity) => identity.row === row));
  if (batch === undefined) {
    return undefined;
  }
  const { results } = await sendBatch(
    batch,
    {
      client: job.client,
      model: job.model,
      outputs: job.manifest.identity.outputs,
      maxRetries: 0,
      clock: systemClock,
      onRetry: () => {},
    },
    { stop: new AbortController().signal, deadline: new AbortController().signal },
  );
  const result = results.find(({ identity }) => identity.row === row);
  return result === undefined ? undefined : format.formatRows([result]);
}
