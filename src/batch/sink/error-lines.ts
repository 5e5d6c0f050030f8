import type { RowError } from '../row-batch.ts';

/** A line of errors.jsonl. */
export interface ErrorLine {
  readonly input_id: string;
  readonly row: number;
  readonly line: number;
  readonly stage: string;
  readonly reason: string;
  readonly message: string;
  readonly attempts: number;
}

/** Lines of errors.jsonl, by row. */
export function formatErrors(errors: readonly RowError[]): Buffer {
  const sorted = [...errors].sort((a, b) => a.row - b.row);
  return Buffer.from(
    sorted
      .map(({ id, row, line, stage, reason, message, attempts }) => {
        const errorLine: ErrorLine = { input_id: id, row, line, stage, reason, message, attempts };
        return `${JSON.stringify(errorLine)}\n`;
      })
      .join(''),
  );
}

/** The rows of a part of errors.jsonl. */
export function parseErrorRows(part: Buffer): readonly number[] {
  return part
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { row }: ErrorLine = JSON.parse(line);
      return row;
    });
}
