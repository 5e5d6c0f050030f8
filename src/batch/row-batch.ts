import type { NamedTensors } from '../tensor/tensor.ts';

/** Who a row is: travels with it from the source to the result. */
export interface RowIdentity {
  readonly row: number;
  readonly line: number;
  /** The id column's text, or `rec_00327` by row number. */
  readonly id: string;
  /**
   * Source columns to copy into the result, as JSON texts, in the order asked for: a CSV cell that is a JSON number is
   * that number digit for digit, any other cell is a string.
   */
  readonly kept: readonly KeptValue[];
}

export interface KeptValue {
  readonly name: string;
  readonly json: string;
}

/** Rows that run together: `inputs` have `rows.length` as their leading dimension, row i being `rows[i]`. */
export interface RowBatch {
  readonly rows: readonly RowIdentity[];
  readonly inputs: NamedTensors;
}

/** Where in its way through the job a row failed. */
export type RowStage = 'read' | 'map' | 'infer' | 'output' | 'timeout';

/** One row that gave no result: a line of errors.jsonl. */
export interface RowError {
  readonly row: number;
  readonly line: number;
  readonly id: string;
  readonly stage: RowStage;
  readonly reason: string;
  readonly message: string;
  /** Times the row was sent to the model, 0 when it never got there. */
  readonly attempts: number;
}
