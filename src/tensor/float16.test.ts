import { describe, expect, it } from 'vitest';
import { bfloat16FromNumber, float16FromNumber, numberFromBfloat16, numberFromFloat16 } from './float16.ts';

const FORMATS = [
  { name: 'FP16', encode: float16FromNumber, decode: numberFromFloat16 },
  { name: 'BF16', encode: bfloat16FromNumber, decode: numberFromBfloat16 },
];

describe.each(FORMATS)('$name', ({ encode, decode }) => {
  it('gives every pattern of bits back', () => {
    for (let bits = 0; bits < 0x10000; bits += 1) {
      const value = decode(bits);
      if (Number.isNaN(value)) {
        expect(decode(encode(value))).toBeNaN();
      } else if (encode(value) !== bits) {
        expect.fail(`${bits.toString(16)} came back as ${encode(value).toString(16)}`);
      }
    }
  });

  it('rounds to nearest, ties to even, between every two neighbours', () => {
    for (let bits = 0; decode(bits + 1) < Number.POSITIVE_INFINITY; bits += 1) {
      const low = decode(bits);
      const high = decode(bits + 1);
      const middle = (low + high) / 2;
      const even = bits % 2 === 0 ? bits : bits + 1;
      const gap = (high - low) * 1e-6;
      if (encode(middle) !== even || encode(middle - gap) !== bits || encode(middle + gap) !== bits + 1) {
        expect.fail(`around ${middle}, between ${bits.toString(16)} and its successor`);
      }
    }
  });
});

it('P10: FP16 turns what is too large into infinity, from halfway to the step beyond 65504 on', () => {
  expect(float16FromNumber(65519.999)).toBe(0x7bff);
  expect(float16FromNumber(65520)).toBe(0x7c00);
  expect(float16FromNumber(-70000)).toBe(0xfc00);
  expect(float16FromNumber(1e300)).toBe(0x7c00);
});

it('keeps the sign of zero and the smallest steps', () => {
  expect(float16FromNumber(-0)).toBe(0x8000);
  expect(float16FromNumber(6e-8)).toBe(1);
  expect(float16FromNumber(2.9e-8)).toBe(0);
  expect(numberFromFloat16(0x8000)).toBe(-0);
  expect(bfloat16FromNumber(-0)).toBe(0x8000);
});
