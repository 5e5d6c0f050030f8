/** Kinds of what can be wrong with results. */
export type ProblemKind =
  | 'partial'
  | 'count'
  | 'input-changed'
  | 'checksum'
  | 'unreadable'
  | 'missing'
  | 'doubled'
  | 'foreign'
  | 'misplaced'
  | 'id'
  | 'value'
  | 'non-finite'
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
    const entry = this.#byKind.get(kind) ?? { count: 0, shown: [] };
    entry.count += 1;
    if (entry.shown.length < MAX_SHOWN) {
      entry.shown.push(text);
    }
    this.#byKind.set(kind, entry);
  }

  list(): readonly Problem[] {
    return [...this.#byKind].map(([kind, { count, shown }]) => ({ kind, count, shown }));
  }
}
