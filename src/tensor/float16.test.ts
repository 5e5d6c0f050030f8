import { describe, expect, it } from 'vitest';
import { bfloat16FromNumber, float16FromNumber, numberFromBfloat16, numberFromFloat16 } from './float16.ts';

/** The value of 16 bits by the definition of the formats: sign, exponent, mantissa. */
function valueOfBits(bits: number, exponentBits: number): number {
  const mantissaBits = 15 - exponentBits;
  const bias = 2 ** (exponentBits - 1) - 1;
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits & 0x7fff) >> mantissaBits;
  const fraction = (bits & (2 ** mantissaBits - 1)) / 2 ** mantissaBits;
  if (exponent === 2 ** exponentBits - 1) {
    return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  }
  return exponent === 0 ? sign * 2 ** (1 - bias) * fraction : sign * 2 ** (exponent - bias) * (1 + fraction);
}

const FORMATS = [
  { name: 'FP16', encode: float16FromNumber, decode: numberFromFloat16, exponentBits: 5 },
  { name: 'BF16', encode: bfloat16FromNumber, decode: numberFromBfloat16, exponentBits: 8 },
];

describe.each(FORMATS)('$name', ({ encode, decode, exponentBits }) => {
  it('reads every pattern of bits as the format defines it, and writes it back', () => {
    for (let bits = 0; bits < 0x10000; bits += 1) {
      const value = valueOfBits(bits, exponentBits);
      if (!Object.is(decode(bits), value)) {
        expect.fail(`${bits.toString(16)} was read as ${decode(bits)}, expected ${value}`);
      }
      if (Number.isNaN(value) ? !Number.isNaN(decode(encode(value))) : encode(value) !== bits) {
        expect.fail(`${bits.toString(16)} came back as ${encode(value).toString(16)}`);
      }
    }
  });

  it.each([1, -1])('rounds to nearest, ties to even, between every two neighbours of sign %i', (sign) => {
    const signBit = sign === 1 ? 0 : 0x8000;
    for (let bits = 0; valueOfBits(bits + 1, exponentBits) < Number.POSITIVE_INFINITY; bits += 1) {
      const low = valueOfBits(bits, exponentBits);
      const high = valueOfBits(bits + 1, exponentBits);
      const middle = (low + high) / 2;
      // Less than FP32 can tell apart, so that rounding to FP32 on the way would show.
      const little = (high - low) * 2 ** -25;
      const encoded = [middle - little, middle, middle + little].map((value) => encode(sign * value));
      const expected = [bits, bits % 2 === 0 ? bits : bits + 1, bits + 1].map((pattern) => pattern | signBit);
      if (encoded.some((pattern, index) => pattern !== expected[index])) {
        expect.fail(`around ${middle}: ${encoded}, expected ${expected}`);
      }
    }
  });
});

const ENCODERS = { FP16: float16FromNumber, BF16: bfloat16FromNumber };

it.each([
  ['FP16', 65519.999, 0x7bff],
  ['FP16', 65520, 0x7c00],
  ['FP16', -70000, 0xfc00],
  ['FP16', 1e300, 0x7c00],
  ['BF16', (2 - 2 ** -8 - 2 ** -40) * 2 ** 127, 0x7f7f],
  ['BF16', (2 - 2 ** -8) * 2 ** 127, 0x7f80],
  ['BF16', -1e300, 0xff80],
] as const)('P10: %s: %d becomes infinity from halfway beyond the largest value on', (name, value, bits) => {
  expect(ENCODERS[name](value)).toBe(bits);
});

it.each([
  ['FP16', 6e-8, 1],
  ['FP16', 2 ** -25, 0],
  ['FP16', 2 ** -25 * (1 + 2 ** -50), 1],
  ['FP16', -2.9e-8, 0x8000],
  ['FP16', 5e-324, 0],
  ['BF16', 2 ** -134, 0],
  ['BF16', 2 ** -134 * (1 + 2 ** -50), 1],
  ['BF16', -5e-324, 0x8000],
] as const)(
  'P10: %s: %d becomes zero up to half of the smallest step, and keeps its sign',
  (name, value, bits) => {
    expect(ENCODERS[name](value)).toBe(bits);
  },
);
