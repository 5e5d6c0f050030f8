import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bfloat16FromNumber, numberFromBfloat16 } from './float16.ts';
import { formatFloat32, formatFloat64, formatNarrowFloat } from './format-number.ts';

/** The rule itself, slowly: the first precision whose digits read back as the same FP32. */
function shortestFloat32Digits(value: number): number {
  for (let digits = 1; digits <= 9; digits += 1) {
    if (Math.fround(Number(value.toPrecision(digits))) === value) {
      return digits;
    }
  }
  throw new Error(`no precision reads back ${value}`);
}

function significantDigits(text: string): number {
  const digits = text.replace(/e.*$/, '').replace(/[-.]/g, '').replace(/^0+/, '');
  return Math.max(1, digits.replace(/0+$/, '').length);
}

function expectShortest(value: number): void {
  const text = formatFloat32(value);
  expect(JSON.parse(text)).toBe(Number(text));
  expect(Math.fround(Number(text))).toBe(value);
  if (value !== 0) {
    expect(significantDigits(text), text).toBe(shortestFloat32Digits(value));
  }
}

const float32FromBits = (bits: number): number => new Float32Array(new Uint32Array([bits]).buffer)[0] ?? 0;

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
    [0.00001234, '0.00001234'],
    [123456.789, '123456.79'],
    [5e-7, '5e-7'],
    [-0, '-0'],
    [0, '0'],
    [Number.NaN, '"NaN"'],
    [Number.POSITIVE_INFINITY, '"Infinity"'],
    [Number.NEGATIVE_INFINITY, '"-Infinity"'],
  ])('prints %d as %s', (value, text) => {
    expect(formatFloat32(Math.fround(value))).toBe(text);
  });

  it('reads back as the same FP32, with the fewest digits, for any bit pattern', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffffff }), (bits) => {
        const value = float32FromBits(bits);
        if (Number.isFinite(value)) {
          expectShortest(value);
        }
      }),
      { numRuns: 20_000 },
    );
  });

  it('does so for probabilities, the most common kind', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (value) => expectShortest(Math.fround(value))),
      { numRuns: 20_000 },
    );
  });

  it('does so for each power of two, each power of ten and their neighbours', () => {
    const around = (value: number): void => {
      const bits = new Uint32Array(new Float32Array([value]).buffer)[0] ?? 0;
      for (const neighbour of [bits - 1, bits, bits + 1]) {
        const candidate = float32FromBits(neighbour);
        if (Number.isFinite(candidate)) {
          expectShortest(candidate);
        }
      }
    };
    for (let exponent = -148; exponent <= 127; exponent += 1) {
      around(2 ** exponent);
    }
    for (let exponent = -44; exponent <= 38; exponent += 1) {
      around(10 ** exponent);
    }
  });
});

it('prints doubles as JavaScript does, and keeps the sign of zero', () => {
  expect([0.1, 1e21, 5e-324, -0, Number.NaN].map(formatFloat64)).toEqual([
    '0.1',
    '1e+21',
    '5e-324',
    '-0',
    '"NaN"',
  ]);
});

it('prints BF16 with the digits that BF16 needs, for all its values', () => {
  const round = (value: number): number => numberFromBfloat16(bfloat16FromNumber(value));
  expect(formatNarrowFloat(numberFromBfloat16(0x3dcd), round)).toBe('0.1');
  for (let bits = 0; bits < 0x10000; bits += 1) {
    const value = numberFromBfloat16(bits);
    if (Number.isFinite(value)) {
      expect(bfloat16FromNumber(Number(formatNarrowFloat(value, round)))).toBe(bits);
    }
  }
});
