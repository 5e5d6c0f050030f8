/**
 * The definition of the shortest text of a number, slow and always right: of 1, 2, 3 ... digits the first ones that read
 * back as `value`.
 * @param value finite, not 0, and a value that `round` leaves as it is.
 * @param maxDigits as many as tell any two values of the type apart.
 * @param round rounds a double to the type of `value`.
 */
export function searchShortestText(
  value: number,
  maxDigits: number,
  round: (value: number) => number,
): string {
  for (let digits = 1; digits < maxDigits; digits += 1) {
    const candidate = Number(value.toPrecision(digits));
    if (round(candidate) === value) {
      return String(candidate);
    }
  }
  return String(Number(value.toPrecision(maxDigits)));
}
