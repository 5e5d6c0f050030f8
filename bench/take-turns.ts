/** Something that is measured again and again. */
export interface Series {
  readonly name: string;
  readonly measure: () => Promise<number>;
  /** One value a round, filled by `takeTurns`. */
  readonly values: number[];
}

export function createSeries(name: string, measure: () => Promise<number>): Series {
  return { name, measure, values: [] };
}

/**
 * Measures several things in turn, A B C A B C ..., so that a machine whose speed drifts is as fast for one as for the
 * others, and values at the same place belong together. A first round warms up and is not counted.
 */
export async function takeTurns(rounds: number, series: readonly Series[]): Promise<void> {
  for (let round = 0; round <= rounds; round++) {
    for (const { name, measure, values } of series) {
      const value = await measure();
      console.error(`  ${round === 0 ? 'warm-up' : `round ${round}`}: ${name}: ${value.toPrecision(4)}`);
      if (round > 0) {
        values.push(value);
      }
    }
  }
}
