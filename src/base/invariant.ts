/**
 * States what the code around it guarantees. A failure is a fault of Millrace, never of its input.
 * @throws {Error} when the condition does not hold.
 */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) {
    throw new Error(`fault in millrace, please report it: ${message}`);
  }
}
