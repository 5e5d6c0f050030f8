/** A set of row numbers below a bound: a bit each. */
export class RowSet {
  readonly #bits: Uint8Array;
  #size = 0;

  constructor(rows: number) {
    this.#bits = new Uint8Array(Math.ceil(rows / 8));
  }

  get size(): number {
    return this.#size;
  }

  has(row: number): boolean {
    return ((this.#bits[row >> 3] ?? 0) & (1 << (row & 7))) !== 0;
  }

  add(row: number): void {
    if (!this.has(row)) {
      this.#bits[row >> 3] = (this.#bits[row >> 3] ?? 0) | (1 << (row & 7));
      this.#size += 1;
    }
  }
}
