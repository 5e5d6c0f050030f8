import { dirname } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import type { InferClient, ModelMetadata } from '../../client/infer-client.ts';
import { assembleTensor } from '../../tensor/create-tensor.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import { type BatchFormer, createBatchFormer } from '../form-batches.ts';
import type { JobIdentity } from '../manifest.ts';
import { resolveMapping } from '../mapping/resolve-mapping.ts';
import { type BatchOutcome, sendBatch } from '../send-batch.ts';
import { rowOf } from '../sink/jsonl-results.ts';
import type { RowResult } from '../sink/result-format.ts';
import type { RowSource, SourceRow } from '../source/row-source.ts';
import { compareTensors, type Likeness } from './compare-tensors.ts';
import type { ProblemList } from './problem-list.ts';
import type { ResultRecord } from './result-record.ts';

/** What running some rows again gave. */
export interface Recomputation {
  /** Rows that were run again. */
  readonly rows: number;
  /** Rows whose values are the same to the last bit. */
  readonly same: number;
  /** Rows that differ by rounding: made on another processor, or in a batch of another size. */
  readonly close: number;
  /** Nodes of the model that give another result each time; rows that differ are then no problem. */
  readonly nondeterministicNodes: readonly string[];
}

export interface RecomputeRequest {
  /** Results to make again and compare. */
  readonly samples: readonly ResultRecord[];
  readonly identity: JobIdentity;
  readonly inputFile: string;
  readonly source: RowSource;
  readonly client: InferClient;
  readonly signal: AbortSignal;
  readonly problems: ProblemList;
}

/**
 * Runs rows again, each in the batch that it was in, and compares.
 * @throws {MillraceError} when the model cannot be asked; {unknown} the reason of `signal`.
 */
export async function recomputeRows(request: RecomputeRequest): Promise<Recomputation> {
  const { identity, client, problems, samples } = request;
  const { name, version, sha256 } = identity.model;
  const model = await client.modelMetadata(name, BigInt(version));
  const { nondeterministicNodes } = model;
  if (model.sha256 !== undefined && sha256 !== null && model.sha256 !== sha256) {
    problems.add(
      'recompute',
      `the model has sha256 ${model.sha256}, but the results were made with ${sha256}`,
    );
    return { rows: 0, same: 0, close: 0, nondeterministicNodes };
  }
  const former = createFormer(request, model);
  const counts = { same: 0, close: 0, different: 0 };
  for (const ofShard of groupByShard(samples, identity)) {
    const outcome = await runShardAgain(ofShard, former, model, request);
    for (const sample of ofShard) {
      const { likeness, text } = compareResult(sample, outcome);
      counts[likeness] += 1;
      if (likeness === 'different' && nondeterministicNodes.length === 0) {
        problems.add('recompute', `'${sample.id}', row ${sample.row}: ${text}`);
      }
    }
  }
  return { rows: samples.length, same: counts.same, close: counts.close, nondeterministicNodes };
}

function createFormer({ identity, inputFile, source }: RecomputeRequest, model: ModelMetadata): BatchFormer {
  const { mapping } = resolveMapping({
    model,
    survey: source.survey,
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
    totalRows: source.survey.rows,
  });
}

function groupByShard(samples: readonly ResultRecord[], identity: JobIdentity): Iterable<ResultRecord[]> {
  const groups = new Map<number, ResultRecord[]>();
  for (const sample of samples) {
    const shard = Math.floor((sample.row - identity.first_row) / identity.shard_rows);
    const group = groups.get(shard) ?? [];
    group.push(sample);
    groups.set(shard, group);
  }
  return groups.values();
}

/** What rows give now. */
interface ShardOutcome {
  readonly results: readonly RowResult[];
  readonly errors: readonly { readonly row: number; readonly message: string }[];
}

/** Forms the batches of a whole shard, as they were, and sends those that the samples are in. */
async function runShardAgain(
  samples: readonly ResultRecord[],
  former: BatchFormer,
  model: ModelMetadata,
  { identity, source, client, signal }: RecomputeRequest,
): Promise<ShardOutcome> {
  const rows = new Set(samples.map(({ row }) => row));
  const { batches, errors } = await former.formBatches(readShard(source, samples, identity));
  const outcomes: BatchOutcome[] = [];
  for (const batch of batches.filter((batch) => batch.rows.some(({ row }) => rows.has(row)))) {
    outcomes.push(
      await sendBatch(
        batch,
        { client, model, outputs: identity.outputs, maxRetries: 0, clock: systemClock, onRetry: () => {} },
        { stop: signal, deadline: new AbortController().signal },
      ),
    );
  }
  return {
    results: outcomes.flatMap(({ results }) => results),
    errors: [...errors, ...outcomes.flatMap((outcome) => outcome.errors)],
  };
}

/** All rows of the shard that the samples are of. */
function readShard(
  source: RowSource,
  [sample]: readonly ResultRecord[],
  { first_row: firstRow, shard_rows: shardRows }: JobIdentity,
): AsyncIterable<readonly SourceRow[]> {
  const row = sample?.row ?? firstRow;
  const start = row - ((row - firstRow) % shardRows);
  return source.readRows(start, Math.min(source.survey.rows, start + shardRows));
}

interface Comparison {
  readonly likeness: Likeness;
  /** What differs. */
  readonly text: string;
}

function compareResult(sample: ResultRecord, { results, errors }: ShardOutcome): Comparison {
  const result = results.find(({ identity }) => identity.row === sample.row);
  if (result === undefined) {
    const error = errors.find(({ row }) => row === sample.row);
    return { likeness: 'different', text: `fails now: ${error?.message}` };
  }
  const likenesses = [...sample.outputs].map(([name, before]) => {
    const after = result.outputs.get(name);
    return {
      name,
      likeness: after === undefined ? 'different' : compareTensors(before, rowValue(after, result.index)),
    };
  });
  const different = likenesses.find(({ likeness }) => likeness === 'different');
  if (different !== undefined) {
    return { likeness: 'different', text: `output '${different.name}' has another value now` };
  }
  return { likeness: likenesses.some(({ likeness }) => likeness === 'close') ? 'close' : 'same', text: '' };
}

/** The value of one row of an output, of the shape that one row has. @param index as in `RowResult`. */
function rowValue(tensor: Tensor, index: number): Tensor {
  const row = rowOf(tensor, index);
  return assembleTensor(row.datatype, row.shape.slice(1), row.data);
}
