import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseShortDecimal } from './short-decimal.ts';

it('gives what Number gives for every decimal of up to 15 digits', () => {
  const decimal = fc
    .tuple(fc.boolean(), fc.stringMatching(/^\d{1,15}$/), fc.nat({ max: 15 }))
    .map(([isNegative, digits, point]) => {
      const at = Math.min(point, digits.length);
      const text = at === digits.length ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`;
      return isNegative ? `-${text}` : text;
    });
  fc.assert(
    fc.property(decimal, (text) => {
      expect(parseShortDecimal(text)).toBe(Number(text));
    }),
    { numRuns: 20_000 },
  );
});

it('keeps the sign of zero, and takes a point at either end', () => {
  expect(parseShortDecimal('-0')).toBe(-0);
  expect(parseShortDecimal('-0.0')).toBe(-0);
  expect(parseShortDecimal('5.')).toBe(5);
  expect(parseShortDecimal('.5')).toBe(0.5);
});

it.each([
  '',
  '-',
  '.',
  '-.',
  '1.2.3',
  '+1',
  '1e3',
  '0x1',
  ' 1',
  '1 ',
  '1,5',
  'NaN',
  'Infinity',
  '1234567890123456',
  '--1',
  '1-',
])('leaves %j to others', (text) => {
  expect(parseShortDecimal(text)).toBeNaN();
});
