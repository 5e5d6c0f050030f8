import type { ResultRecord } from './result-record.ts';

/** Picks results at even distances while all of them go by. */
export class ResultSampler {
  readonly samples: ResultRecord[] = [];
  readonly #wanted: number;
  readonly #total: number;
  #seen = 0;

  /** @param total results that will go by. */
  constructor(wanted: number, total: number) {
    this.#wanted = Math.min(wanted, total);
    this.#total = total;
  }

  offer(record: ResultRecord): void {
    // In the middle of equal stretches, so that neither the first nor the last rows are always among them.
    const next = Math.floor(((this.samples.length + 0.5) * this.#total) / this.#wanted);
    if (this.samples.length < this.#wanted && this.#seen >= next) {
      this.samples.push(record);
    }
    this.#seen += 1;
  }
}
