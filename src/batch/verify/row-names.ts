import type { JobIdentity } from '../manifest.ts';
import { ValueError } from '../mapping/element-writer.ts';
import { createRowIdentifier, type RowIdentifier } from '../row-identity.ts';
import type { RowSource, SourceRow } from '../source/row-source.ts';

/** The ids that rows of the input have. Cheapest when asked for rising rows. */
export interface RowNames {
  nameOf(row: number): Promise<string>;
}

/** Rows read ahead when ids lie in the input. */
const WINDOW_ROWS = 1024;

/** Ids by the id column of a job, or by number where it has none. */
export function createRowNames(source: RowSource, identity: JobIdentity): RowNames {
  const { columns, rows } = source.survey;
  const idColumn = identity.id_column ?? undefined;
  const identifier = createRowIdentifier({ inputs: [], idColumn, keep: [], baseDir: '', columns }, rows);
  if (idColumn === undefined) {
    return { nameOf: async (row) => identifier.nameByNumber(row) };
  }
  let window: readonly string[] = [];
  let windowStart = 0;
  return {
    async nameOf(row) {
      if (row < windowStart || row >= windowStart + window.length) {
        windowStart = row;
        window = await readNames(source, identifier, row, Math.min(rows, row + WINDOW_ROWS));
      }
      return window[row - windowStart] ?? identifier.nameByNumber(row);
    },
  };
}

async function readNames(
  source: RowSource,
  identifier: RowIdentifier,
  start: number,
  end: number,
): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const rows of source.readRows(start, end)) {
    names.push(...rows.map((row) => nameOf(row, identifier)));
  }
  return names;
}

function nameOf(row: SourceRow, identifier: RowIdentifier): string {
  if (row.kind === 'invalid') {
    return identifier.nameByNumber(row.row);
  }
  try {
    return identifier.identify(row).id;
  } catch (error) {
    if (error instanceof ValueError) {
      return identifier.nameByNumber(row.row);
    }
    throw error;
  }
}
