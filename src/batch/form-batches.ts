import { setImmediate } from 'node:timers/promises';
import type { ModelMetadata } from '../client/infer-client.ts';
import { allocateData, assembleTensor } from '../tensor/create-tensor.ts';
import { elementCount, type Shape } from '../tensor/shape.ts';
import { sliceRows } from '../tensor/split.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { ValueError } from './mapping/element-writer.ts';
import { createInputReader, type InputReader, type ReadableRow } from './mapping/input-reader.ts';
import type { RowMapping } from './mapping/row-mapping.ts';
import type { RowBatch, RowError, RowIdentity, RowStage } from './row-batch.ts';
import { createRowIdentifier } from './row-identity.ts';
import type { SourceRow } from './source/row-source.ts';

/** Rows formed in one turn of the event loop: answers of the model must not wait for long. */
const ROWS_BETWEEN_YIELDS = 128;

export interface BatchFormerOptions {
  readonly mapping: RowMapping;
  readonly model: ModelMetadata;
  /** Rows in a batch, at most. A model without a batch dimension gets one row at a time. */
  readonly batchSize: number;
  readonly allowNonFinite: boolean;
  /** Rows of the whole input. */
  readonly totalRows: number;
}

/** The rows of a shard as batches, and those that cannot be rows of the model. */
export interface FormedBatches {
  readonly batches: readonly RowBatch[];
  readonly errors: readonly RowError[];
}

export interface BatchFormer {
  /**
   * The same rows give the same batches, in order; only rows whose tensors have the same shapes share one. Blocks of rows
   * are turned into numbers as they come, so that the texts of a shard are never in memory together.
   */
  formBatches(blocks: AsyncIterable<readonly SourceRow[]>): Promise<FormedBatches>;
}

export function createBatchFormer(options: BatchFormerOptions): BatchFormer {
  const readers = options.mapping.inputs.map((mapping) =>
    createInputReader(mapping, options.mapping, options.allowNonFinite),
  );
  const identifier = createRowIdentifier(options.mapping, options.totalRows);
  const preparers = readers.filter(({ prepare }) => prepare !== undefined);
  return {
    async formBatches(blocks) {
      const forming = new FormingBatches(readers, options.model.maxBatchSize > 0 ? options.batchSize : 0);
      const errors: RowError[] = [];
      let sinceYield = 0;
      for await (const rows of blocks) {
        for (const row of rows) {
          sinceYield += 1;
          if (sinceYield === ROWS_BETWEEN_YIELDS) {
            sinceYield = 0;
            await setImmediate();
          }
          if (row.kind === 'invalid') {
            errors.push(rowError(row, identifier.nameByNumber(row.row), 'read', row.message));
            continue;
          }
          let identity: RowIdentity | undefined;
          try {
            identity = identifier.identify(row);
            if (preparers.length > 0) {
              await prepareAll(preparers, row);
            }
            forming.add(row, identity);
          } catch (error) {
            if (!(error instanceof ValueError)) {
              throw error;
            }
            errors.push(
              rowError(row, identity?.id ?? identifier.nameByNumber(row.row), 'map', error.message),
            );
          }
        }
      }
      return { batches: forming.finish(), errors };
    },
  };
}

async function prepareAll(readers: readonly InputReader[], row: ReadableRow): Promise<void> {
  for (const { prepare } of readers) {
    await prepare?.(row);
  }
}

function rowError({ row, line }: SourceRow, id: string, stage: RowStage, message: string): RowError {
  return { row, line, id, stage, reason: 'ROW_INVALID', message, attempts: 0 };
}

/** A batch that is being filled: values go straight into the tensors that will be sent. */
interface OpenBatch {
  readonly shapes: readonly Shape[];
  readonly data: readonly Tensor['data'][];
  readonly perRow: readonly number[];
  rows: RowIdentity[];
}

class FormingBatches {
  readonly #readers: readonly InputReader[];
  /** 0: no batch dimension, a row alone. */
  readonly #batchSize: number;
  readonly #finished: RowBatch[] = [];
  readonly #open = new Map<string, OpenBatch>();
  /** Shapes of every row's values; undefined where rows differ. */
  readonly #fixedShapes: readonly Shape[] | undefined;

  constructor(readers: readonly InputReader[], batchSize: number) {
    this.#readers = readers;
    this.#batchSize = batchSize;
    const fixed = readers.flatMap(({ fixedShape }) => (fixedShape === undefined ? [] : [fixedShape]));
    this.#fixedShapes = fixed.length === readers.length ? fixed : undefined;
  }

  /** @throws {ValueError} and then the row is in no batch. */
  add(row: ReadableRow, identity: RowIdentity): void {
    const batch = this.#openFor(row);
    for (let index = 0; index < batch.data.length; index += 1) {
      const data = batch.data[index];
      if (data !== undefined) {
        this.#readers[index]?.write(row, data, batch.rows.length * (batch.perRow[index] ?? 0));
      }
    }
    batch.rows.push(identity);
    if (batch.rows.length >= Math.max(1, this.#batchSize)) {
      this.#close(batch);
    }
  }

  /** All batches; those that were not filled come last. */
  finish(): readonly RowBatch[] {
    for (const batch of [...this.#open.values()]) {
      this.#close(batch);
    }
    return this.#finished;
  }

  #openFor(row: ReadableRow): OpenBatch {
    const shapes = this.#fixedShapes ?? this.#readers.map((reader) => reader.shapeOf(row));
    const key = this.#fixedShapes === undefined ? shapes.join(';') : '';
    let batch = this.#open.get(key);
    if (batch === undefined) {
      const perRow = shapes.map(elementCount);
      const capacity = Math.max(1, this.#batchSize);
      batch = {
        shapes,
        perRow,
        data: this.#readers.map(({ input }, index) =>
          allocateData(input.datatype, capacity * (perRow[index] ?? 0)),
        ),
        rows: [],
      };
      this.#open.set(key, batch);
    }
    return batch;
  }

  #close(batch: OpenBatch): void {
    for (const [key, open] of this.#open) {
      if (open === batch) {
        this.#open.delete(key);
      }
    }
    if (batch.rows.length === 0) {
      return;
    }
    const inputs = new Map<string, Tensor>();
    for (const [index, { input }] of this.#readers.entries()) {
      const shape = batch.shapes[index] ?? [];
      const data = batch.data[index] ?? [];
      const full = [Math.max(1, this.#batchSize), ...shape];
      inputs.set(
        input.name,
        this.#batchSize === 0
          ? assembleTensor(input.datatype, shape, data)
          : sliceRows(assembleTensor(input.datatype, full, data), 0, batch.rows.length),
      );
    }
    this.#finished.push({ rows: batch.rows, inputs });
  }
}
