const FIRST_MICROSECONDS = 200_000;
const LONGEST_MICROSECONDS = 10_000_000;

/**
 * Wait before the next try of a request: twice as long each time, and between half of that and all of it, so that requests
 * that failed together do not come again together.
 * @param failures tries so far, at least 1.
 * @param random from 0 to 1.
 */
export function retryDelayMicroseconds(failures: number, random: number): number {
  const longest = Math.min(LONGEST_MICROSECONDS, FIRST_MICROSECONDS * 2 ** (failures - 1));
  return longest * (0.5 + random / 2);
}
