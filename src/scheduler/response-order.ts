/**
 * Lets results out in the order in which their requests came in: each waits for those before it.
 */
export class ResponseOrder {
  readonly #waiting = new Map<number, () => void>();
  #nextTicket = 0;
  #nextOut = 0;

  /** A place in the order. */
  takeTicket(): number {
    this.#nextTicket += 1;
    return this.#nextTicket - 1;
  }

  /** Calls `deliver` as soon as every earlier ticket was let out. */
  release(ticket: number, deliver: () => void): void {
    this.#waiting.set(ticket, deliver);
    for (;;) {
      const next = this.#waiting.get(this.#nextOut);
      if (next === undefined) {
        return;
      }
      this.#waiting.delete(this.#nextOut);
      this.#nextOut += 1;
      next();
    }
  }
}
