import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bfloat16FromNumber, float16FromNumber, numberFromBfloat16, numberFromFloat16 } from './float16.ts';
import {
  formatBfloat16,
  formatFloat16,
  formatFloat32,
  formatFloat32Elements,
  formatFloat64,
} from './format-number.ts';

const MAX_DIGITS = 17;

/** The rule itself, slowly: the first precision whose digits read back as the same value. */
function shortestText(value: number, round: (value: number) => number): string {
  if (value === 0) {
    return Object.is(value, -0) ? '-0' : '0';
  }
  for (let digits = 1; digits <= MAX_DIGITS; digits += 1) {
    const candidate = Number(value.toPrecision(digits));
    if (round(candidate) === value) {
      return String(candidate);
    }
  }
  throw new Error(`no precision reads back ${value}`);
}

const float = new Float32Array(1);
const floatBits = new Uint32Array(float.buffer);

function float32FromBits(bits: number): number {
  floatBits[0] = bits;
  return float[0] ?? 0;
}

function expectShortest(value: number): void {
  if (!Number.isFinite(value)) {
    return;
  }
  const text = formatFloat32(value);
  const expected = shortestText(value, Math.fround);
  if (text !== expected || !Object.is(JSON.parse(text), Number(expected))) {
    expect.fail(`${value} is printed as ${text}, expected ${expected}`);
  }
}

describe('formatFloat32', () => {
  it.each([
    [0.1, '0.1'],
    [-0.1, '-0.1'],
    [1 / 3, '0.33333334'],
    [16777216, '16777216'],
    [3.4028234663852886e38, '3.4028235e+38'],
    [1.401298464324817e-45, '1e-45'],
    [1.17549435e-38, '1.1754944e-38'],
    [1e-6, '0.000001'],
    [1e-7, '1e-7'],
    [123456.7, '123456.7'],
    [-3.4e20, '-340000000000000000000'],
    [1e21, '1e+21'],
    [0, '0'],
    [-0, '-0'],
    [Number.NaN, '"NaN"'],
    [Number.POSITIVE_INFINITY, '"Infinity"'],
    [Number.NEGATIVE_INFINITY, '"-Infinity"'],
  ])('prints %d as %s', (value, text) => {
    expect(formatFloat32(Math.fround(value))).toBe(text);
  });

  it('prints the fewest digits for values all over the range: every exponent, with mantissas at its ends and between', () => {
    for (let exponent = 0; exponent < 255; exponent += 1) {
      for (const mantissa of [0, 1, 2, 0x400000, 0x7ffffe, 0x7fffff]) {
        expectShortest(float32FromBits(exponent * 0x800000 + mantissa));
        expectShortest(-float32FromBits(exponent * 0x800000 + mantissa));
      }
      // A stride that shares no factor with 2^23 meets the low bits in every combination.
      for (let mantissa = exponent; mantissa < 0x800000; mantissa += 0x800000 / 256 + 61) {
        expectShortest(float32FromBits(exponent * 0x800000 + mantissa));
      }
    }
  });

  it('prints the fewest digits for any bit pattern', () => {
    fc.assert(
      fc.property(fc.uint32Array({ minLength: 1000, maxLength: 1000 }), (patterns) => {
        for (const bits of patterns) {
          expectShortest(float32FromBits(bits));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('prints the fewest digits for probabilities, the most common kind', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (value) => expectShortest(Math.fround(value))),
      { numRuns: 20_000 },
    );
  });

  it('prints the fewest digits for short decimals and fractions, and for the neighbours of each power of ten', () => {
    for (let count = 1; count < 20_000; count += 1) {
      expectShortest(Math.fround(count / 1000));
      expectShortest(Math.fround(count / 4096));
    }
    for (let exponent = -46; exponent <= 38; exponent += 1) {
      float[0] = 10 ** exponent;
      const bits = floatBits[0] ?? 0;
      for (let neighbour = Math.max(0, bits - 3); neighbour <= bits + 3; neighbour += 1) {
        expectShortest(float32FromBits(neighbour));
      }
    }
  });
});

it('joins many FP32 texts, non-finite ones among them, whatever their number', () => {
  for (const length of [0, 1, 2, 255, 256, 257, 511, 512, 513, 1000]) {
    const data = Float32Array.from({ length: length + 2 }, (_, index) =>
      index % 100 === 50 ? Number.NEGATIVE_INFINITY : index * -1.1e-20,
    );
    const expected = Array.from(data.subarray(1, length + 1), formatFloat32);
    expect(formatFloat32Elements(data, 1, length + 1)).toBe(expected.join(','));
  }
});

it('prints doubles as JavaScript does, and keeps the sign of zero', () => {
  expect([0.1, 1e21, 5e-324, -0, Number.NaN, Number.NEGATIVE_INFINITY].map(formatFloat64)).toEqual([
    '0.1',
    '1e+21',
    '5e-324',
    '-0',
    '"NaN"',
    '"-Infinity"',
  ]);
});

it.each([
  { name: 'FP16', format: formatFloat16, decode: numberFromFloat16, encode: float16FromNumber },
  { name: 'BF16', format: formatBfloat16, decode: numberFromBfloat16, encode: bfloat16FromNumber },
])(
  'P10: prints $name with the fewest digits that $name needs, for all its values',
  ({ format, decode, encode }) => {
    expect(format(encode(0.1))).toBe('0.1');
    expect(format(encode(Number.POSITIVE_INFINITY))).toBe('"Infinity"');
    expect(format(encode(Number.NaN))).toBe('"NaN"');
    for (let bits = 0; bits < 0x10000; bits += 1) {
      const value = decode(bits);
      const text = format(bits);
      if (Number.isFinite(value) && text !== shortestText(value, (number) => decode(encode(number)))) {
        expect.fail(`${bits.toString(16)} is printed as ${text}`);
      }
    }
  },
);
