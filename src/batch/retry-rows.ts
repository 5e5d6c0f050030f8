import { open } from 'node:fs/promises';
import type { PartLocator } from './finalise.ts';
import { ERRORS_FILE, type ShardRecord } from './manifest.ts';
import type { PartSource } from './publish.ts';
import type { ShardOutcome } from './run-shard.ts';
import { parseErrorRows } from './sink/error-lines.ts';
import type { ResultFormat, RowParts } from './sink/result-format.ts';

/** The rows of a shard that failed. */
export async function readFailedRows(record: ShardRecord, locate: PartLocator): Promise<ReadonlySet<number>> {
  return new Set(parseErrorRows(await readPart(locate(record, ERRORS_FILE))));
}

/** A shard as it was, with what its failed rows gave on another run put in their places. */
export async function mergeRetried(
  record: ShardRecord,
  retried: ShardOutcome,
  format: ResultFormat,
  locate: PartLocator,
): Promise<ShardOutcome> {
  const before = await Promise.all(format.files.map((file) => readPart(locate(record, file))));
  const after = format.files.map((_, index) => Buffer.concat(retried.parts[index] ?? []));
  const rows = [...format.splitRows(before), ...format.splitRows(after)].sort((a, b) => a.row - b.row);
  return {
    done: record.done + retried.done,
    failed: retried.failed,
    nonFiniteValues: record.non_finite_values + retried.nonFiniteValues,
    parts: [...joinParts(rows, format.files.length), retried.parts.at(-1) ?? []],
  };
}

function joinParts(rows: readonly RowParts[], files: number): readonly (readonly Buffer[])[] {
  return Array.from({ length: files }, (_, index) => rows.flatMap(({ parts }) => parts[index] ?? []));
}

/** The bytes of a part. */
async function readPart({ path, offset, bytes }: PartSource): Promise<Buffer> {
  const part = Buffer.alloc(bytes);
  if (bytes === 0) {
    return part;
  }
  const handle = await open(path, 'r');
  try {
    await handle.read(part, 0, bytes, offset);
  } finally {
    await handle.close();
  }
  return part;
}
