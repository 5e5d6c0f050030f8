/** Seeded random numbers: the same seed gives the same models and the same rows on every machine. */
export interface Random {
  /** The next number from 0 up to, but not including, 1. */
  next(): number;
}

/** Mulberry32. @param seed a 32-bit whole number. */
export function createRandom(seed: number): Random {
  let state = seed;
  return {
    next() {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    },
  };
}
