/**
 * Finds ids that stand twice, exactly and in bounded memory: each id is kept as 16 bytes of hash and its row number; what
 * does not fit in memory goes to files, divided by hash, which are then looked through one by one. Two different ids with
 * one MD5 hash do not happen by chance.
 */
import { hash } from 'node:crypto';
import { appendFile, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ValueError } from './mapping/element-writer.ts';
import type { RowMapping } from './mapping/row-mapping.ts';
import { idOf } from './row-identity.ts';
import type { RowSource, SourceRow } from './source/row-source.ts';

const HASH_BYTES = 16;
const ROW_BYTES = 6;
const ENTRY_BYTES = HASH_BYTES + ROW_BYTES;
const PARTITIONS = 256;

/** What an entry really takes in memory, object and all. */
const HELD_BYTES = 160;

/** Two rows with one id. */
export interface DuplicateId {
  readonly id: string;
  readonly firstLine: number;
  readonly secondLine: number;
}

export interface DuplicateSearch {
  /** Memory for ids before they go to files. */
  readonly memoryBytes: number;
  /** Folder for those files; made and removed here. */
  readonly spillDir: string;
  /** First row to look at. */
  readonly start: number;
  /** Duplicates to report, at most. */
  readonly limit: number;
}

/** The first few duplicates by row; empty without an id column, or when all ids differ. */
export async function findDuplicateIds(
  source: RowSource,
  mapping: RowMapping,
  search: DuplicateSearch,
): Promise<readonly DuplicateId[]> {
  const { idColumn } = mapping;
  if (idColumn === undefined) {
    return [];
  }
  const partitions = new Partitions(search);
  try {
    const idIndex = mapping.columns.indexOf(idColumn);
    for await (const rows of source.readRows(search.start, source.survey.rows)) {
      for (const row of rows) {
        const id = readableId(row, idColumn, idIndex);
        if (id !== undefined) {
          partitions.add(id, row.row);
        }
      }
      await partitions.spillIfFull();
    }
    const pairs = (await partitions.findPairs()).sort((a, b) => a.second - b.second).slice(0, search.limit);
    const duplicates: DuplicateId[] = [];
    for (const { first, second } of pairs) {
      const [firstRow, secondRow] = [await readRow(source, first), await readRow(source, second)];
      const id = secondRow === undefined ? undefined : readableId(secondRow, idColumn, idIndex);
      duplicates.push({ id: id ?? '', firstLine: firstRow?.line ?? 0, secondLine: secondRow?.line ?? 0 });
    }
    return duplicates;
  } finally {
    await partitions.close();
  }
}

/** Undefined for a row that will be an error anyway. */
function readableId(row: SourceRow, idColumn: string, idIndex: number): string | undefined {
  if (row.kind === 'invalid') {
    return undefined;
  }
  try {
    return idOf(row, idColumn, idIndex);
  } catch (error) {
    if (error instanceof ValueError) {
      return undefined;
    }
    throw error;
  }
}

async function readRow(source: RowSource, row: number): Promise<SourceRow | undefined> {
  for await (const rows of source.readRows(row, row + 1)) {
    return rows[0];
  }
  return undefined;
}

interface RowPair {
  readonly first: number;
  readonly second: number;
}

class Partitions {
  readonly #search: DuplicateSearch;
  readonly #entries: Buffer[][] = Array.from({ length: PARTITIONS }, () => []);
  #heldBytes = 0;
  #spilled = false;

  constructor(search: DuplicateSearch) {
    this.#search = search;
  }

  add(id: string, row: number): void {
    const entry = Buffer.allocUnsafe(ENTRY_BYTES);
    entry.write(hash('md5', id, 'binary'), 'latin1');
    entry.writeUIntBE(row, HASH_BYTES, ROW_BYTES);
    this.#entries[entry[0] ?? 0]?.push(entry);
    this.#heldBytes += HELD_BYTES;
  }

  async spillIfFull(): Promise<void> {
    if (this.#heldBytes < this.#search.memoryBytes) {
      return;
    }
    await mkdir(this.#search.spillDir, { recursive: true });
    this.#spilled = true;
    for (const [index, entries] of this.#entries.entries()) {
      await appendFile(this.#file(index), Buffer.concat(entries.splice(0)));
    }
    this.#heldBytes = 0;
  }

  /** For each id that stands more than once, its first row with each later one. */
  async findPairs(): Promise<RowPair[]> {
    const pairs: RowPair[] = [];
    for (const [index, entries] of this.#entries.entries()) {
      const spilled = this.#spilled ? await readFile(this.#file(index)) : Buffer.alloc(0);
      const firstRows = new Map<string, number>();
      const all = Buffer.concat([spilled, ...entries.splice(0)]);
      for (let offset = 0; offset < all.length && pairs.length < MAX_PAIRS; offset += ENTRY_BYTES) {
        const key = all.toString('latin1', offset, offset + HASH_BYTES);
        const row = all.readUIntBE(offset + HASH_BYTES, ROW_BYTES);
        const first = firstRows.get(key);
        if (first === undefined) {
          firstRows.set(key, row);
        } else {
          pairs.push({ first, second: row });
        }
      }
    }
    return pairs;
  }

  async close(): Promise<void> {
    if (this.#spilled) {
      await rm(this.#search.spillDir, { recursive: true, force: true });
    }
  }

  #file(index: number): string {
    return join(this.#search.spillDir, `ids-${index}`);
  }
}

/** Enough to report the first few; a file with every id twice must not fill memory with pairs. */
const MAX_PAIRS = 100_000;
