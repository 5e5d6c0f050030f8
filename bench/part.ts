import type { Figure } from './figures.ts';

/** What a part is given. */
export interface PartContext {
  /** An empty folder that is removed afterwards. */
  readonly folder: string;
  /** Rounds that count. */
  readonly rounds: number;
}

export interface PartResults {
  readonly figures: readonly Figure[];
  /** Sentences for the reader of the figures. */
  readonly notes: readonly string[];
}

/** A part of the bench that can be run by itself, in a process of its own. */
export interface Part {
  /** As on the command line, and between the markers in docs/performance.md. */
  readonly name: string;
  run(context: PartContext): Promise<PartResults>;
}
