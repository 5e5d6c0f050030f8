/** Kinds of what can be wrong with results. */
export type ProblemKind =
  | 'partial'
  | 'input-changed'
  | 'job-mismatch'
  | 'shard'
  | 'checksum'
  | 'unreadable'
  | 'missing'
  | 'doubled'
  | 'foreign'
  | 'misplaced'
  | 'id'
  | 'value'
  | 'non-finite'
  | 'count'
  | 'recompute';

/** All problems of a kind; of many, the first few are shown. */
export interface Problem {
  readonly kind: ProblemKind;
  readonly count: number;
  readonly shown: readonly string[];
}

const MAX_SHOWN = 10;

/** Collects problems by kind in bounded memory. */
export class ProblemList {
  readonly #byKind = new Map<ProblemKind, { count: number; shown: string[] }>();

  add(kind: ProblemKind, text: string): void {
    const entry = this.#count(kind);
    if (entry.shown.length < MAX_SHOWN) {
      entry.shown.push(text);
    }
  }

  /** As `add`, for a text that takes reading: it is made only while it is shown. */
  async addLater(kind: ProblemKind, makeText: () => Promise<string>): Promise<void> {
    const entry = this.#count(kind);
    if (entry.shown.length < MAX_SHOWN) {
      entry.shown.push(await makeText());
    }
  }

  list(): readonly Problem[] {
    return [...this.#byKind].map(([kind, { count, shown }]) => ({ kind, count, shown }));
  }

  #count(kind: ProblemKind): { count: number; shown: string[] } {
    const entry = this.#byKind.get(kind) ?? { count: 0, shown: [] };
    entry.count += 1;
    this.#byKind.set(kind, entry);
    return entry;
  }
}
