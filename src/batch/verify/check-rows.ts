import { errorText } from '../../base/errors.ts';
import { countNonFinite } from '../../tensor/non-finite.ts';
import { ERRORS_FILE, type JobIdentity } from '../manifest.ts';
import type { RowSource } from '../source/row-source.ts';
import type { ProblemKind, ProblemList } from './problem-list.ts';
import { readErrorRows } from './read-error-rows.ts';
import { readResults } from './read-results.ts';
import type { ReadResult, ResultRecord } from './result-record.ts';
import { createRowNames, type RowNames } from './row-names.ts';
import { RowSet } from './row-set.ts';

export interface RowCheck {
  readonly outputDir: string;
  readonly identity: JobIdentity;
  readonly source: RowSource;
  /** NaN and infinities are no problem. */
  readonly allowNonFinite: boolean;
  readonly signal: AbortSignal;
  readonly problems: ProblemList;
  /** Gets every result of a row of the job. */
  readonly onResult: (record: ResultRecord) => void;
}

/** Rows with exactly one result, and with exactly one error; values that are NaN or infinite. */
export interface RowCounts {
  readonly results: number;
  readonly failed: number;
  readonly nonFiniteValues: number;
}

/**
 * Goes through all results and errors: every row of the job must have one of the two, in order, under its own id, with
 * values as declared. Memory: two bits a row.
 * @throws {unknown} the reason of `signal`.
 */
export async function checkRows(check: RowCheck): Promise<RowCounts> {
  return new RowChecker(check).check();
}

class RowChecker {
  readonly #check: RowCheck;
  readonly #names: RowNames;
  readonly #withResult: RowSet;
  readonly #withError: RowSet;
  #nonFiniteValues = 0;

  constructor(check: RowCheck) {
    const { source, identity } = check;
    this.#check = check;
    this.#names = createRowNames(source, identity);
    this.#withResult = new RowSet(source.survey.rows);
    this.#withError = new RowSet(source.survey.rows);
  }

  async check(): Promise<RowCounts> {
    const { outputDir, identity } = this.#check;
    await this.#readAll(readResults(outputDir, identity), (record, previous) =>
      this.#checkResult(record, previous),
    );
    await this.#readAll(readErrorRows(outputDir), (record, previous) => this.#checkError(record, previous));
    await this.#findMissing();
    return {
      results: this.#withResult.size,
      failed: this.#withError.size,
      nonFiniteValues: this.#nonFiniteValues,
    };
  }

  /** @param checkRecord gets each record of a row of the job, and the row before it in the file. */
  async #readAll(
    records: AsyncIterable<ReadResult>,
    checkRecord: (record: ResultRecord, previous: number) => Promise<void>,
  ): Promise<void> {
    const { problems, identity, source, signal } = this.#check;
    let previous = -1;
    try {
      for await (const read of records) {
        signal.throwIfAborted();
        if (read.kind === 'unreadable') {
          problems.add('unreadable', read.message);
          continue;
        }
        const { record } = read;
        const { row } = record;
        if (!Number.isInteger(row) || row < identity.first_row || row >= source.survey.rows) {
          problems.add('foreign', `${nameRecord(record)}, is no row of the job`);
          continue;
        }
        await checkRecord(record, previous);
        previous = row;
      }
    } catch (error) {
      signal.throwIfAborted();
      problems.add('unreadable', errorText(error));
    }
  }

  async #checkResult(record: ResultRecord, previous: number): Promise<void> {
    const { problems, allowNonFinite, onResult } = this.#check;
    const { row } = record;
    if (this.#withResult.has(row)) {
      problems.add('doubled', `${nameRecord(record)}, has more than one result`);
    } else {
      this.#checkOrder(record, previous);
    }
    this.#withResult.add(row);
    await this.#checkId(record);
    if (record.problem !== undefined) {
      problems.add('value', `${nameRecord(record)}: ${record.problem}`);
    }
    const nonFiniteValues = countNonFiniteValues(record);
    this.#nonFiniteValues += nonFiniteValues;
    if (nonFiniteValues > 0 && !allowNonFinite) {
      problems.add(
        'non-finite',
        `${nameRecord(record)}, holds NaN or infinities (--allow-non-finite takes them)`,
      );
    }
    onResult(record);
  }

  async #checkError(record: ResultRecord, previous: number): Promise<void> {
    const { problems } = this.#check;
    const { row } = record;
    if (this.#withResult.has(row)) {
      problems.add('doubled', `${nameRecord(record)}, has a result and an error`);
      return;
    }
    if (this.#withError.has(row)) {
      problems.add('doubled', `${nameRecord(record)}, has more than one error`);
    } else {
      this.#checkOrder(record, previous, ` in '${ERRORS_FILE}'`);
    }
    this.#withError.add(row);
    await this.#checkId(record);
  }

  #checkOrder(record: ResultRecord, previous: number, where = ''): void {
    if (record.row < previous) {
      this.#check.problems.add('misplaced', `${nameRecord(record)}, stands behind row ${previous}${where}`);
    }
  }

  async #checkId({ row, id }: ResultRecord): Promise<void> {
    const expected = await this.#names.nameOf(row);
    if (id !== expected) {
      this.#check.problems.add('id', `row ${row} has the id '${id}', expected '${expected}'`);
    }
  }

  async #findMissing(): Promise<void> {
    const { identity, source, problems } = this.#check;
    const kind: ProblemKind = 'missing';
    for (let row = identity.first_row; row < source.survey.rows; row += 1) {
      if (!this.#withResult.has(row) && !this.#withError.has(row)) {
        await problems.addLater(kind, async () => `'${await this.#names.nameOf(row)}', row ${row}`);
      }
    }
  }
}

/** `'rec_00327', row 327` */
function nameRecord({ id, row }: ResultRecord): string {
  return `'${id}', row ${row}`;
}

function countNonFiniteValues({ outputs }: ResultRecord): number {
  let count = 0;
  for (const tensor of outputs.values()) {
    count += countNonFinite(tensor);
  }
  return count;
}
