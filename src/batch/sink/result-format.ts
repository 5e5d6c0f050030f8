import type { NamedTensors } from '../../tensor/tensor.ts';
import type { RowIdentity } from '../row-batch.ts';

/** One row and where its outputs lie. */
export interface RowResult {
  readonly identity: RowIdentity;
  /** Outputs of the batch the row was in. */
  readonly outputs: NamedTensors;
  /** Its place in that batch; -1: the outputs have no batch dimension and are the row's alone. */
  readonly index: number;
}

/** A piece of a result file that belongs to one row. */
export interface RowParts {
  readonly row: number;
  /** One for each file. */
  readonly parts: readonly Buffer[];
}

/** How results are written: one or more files, each made of the parts of all shards one behind the other. */
export interface ResultFormat {
  /** Names of the files, errors not included. */
  readonly files: readonly string[];
  /**
   * The parts of some rows, one a file, without what stands at the beginning of the file.
   * @param results in the order of rows.
   * @throws {MillraceError} TENSOR_INVALID for a value that the format cannot hold.
   */
  formatRows(results: readonly RowResult[]): readonly Buffer[];
  /** What stands at the beginning of a file that holds `rows` rows. */
  header(file: string, rows: number): Buffer;
  /** Divides parts of a shard, one a file, into rows again. */
  splitRows(parts: readonly Buffer[]): readonly RowParts[];
}
