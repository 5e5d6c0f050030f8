import { MillraceError } from '../base/errors.ts';

/** Failures of requests that never ran: Triton, too, tells these at once. */
const REFUSALS: ReadonlySet<string> = new Set([
  'QUEUE_FULL',
  'REQUEST_TIMEOUT',
  'REQUEST_CANCELLED',
  'SHUTTING_DOWN',
]);

/** Lets answers out in the order in which their requests came in: each waits for those before it. */
export class ResponseOrder {
  #last: Promise<void> = Promise.resolve();

  /** The same answer, once every earlier one is out. A refusal waits for none. */
  hold<T>(answer: Promise<T>): Promise<T> {
    const previous = this.#last;
    const inTurn = answer.then(
      (value) => previous.then(() => value),
      (error: unknown) => {
        if (error instanceof MillraceError && REFUSALS.has(error.reason)) {
          throw error;
        }
        return previous.then(() => {
          throw error;
        });
      },
    );
    this.#last = Promise.allSettled([previous, inTurn]).then(() => undefined);
    return inTurn;
  }
}
