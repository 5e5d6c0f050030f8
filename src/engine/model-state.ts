/** State of one model version, by Triton's names. */
export type ModelState = 'LOADING' | 'READY' | 'UNLOADING' | 'UNAVAILABLE';

/** A line of the repository index. */
export interface ModelIndexEntry {
  readonly name: string;
  /** Undefined where the model failed before its versions were known. */
  readonly version: bigint | undefined;
  readonly state: ModelState;
  /** Why the model is in this state; empty for READY. */
  readonly reason: string;
}
