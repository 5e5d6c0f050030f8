import { expect, it } from 'vitest';
import { formatCount, formatNumber, formatPercent, formatRows, formatSeconds } from './format.ts';

it.each([
  [0, '0 rows'],
  [1, '1 row'],
  [1234567, '1,234,567 rows'],
])('%d rows', (count, text) => {
  expect(formatRows(count)).toBe(text);
});

it.each([
  [0, 0, '100 %'],
  [0, 3, '0 %'],
  // 100 % is said of all rows alone.
  [9_999, 10_000, '99 %'],
  [3, 3, '100 %'],
])('%d of %d', (part, whole, text) => {
  expect(formatPercent(part, whole)).toBe(text);
});

it.each([
  [0, '0.0 s'],
  [9.94, '9.9 s'],
  [9.96, '10 s'],
  [59.4, '59 s'],
  [59.6, '1 min 00 s'],
  [65, '1 min 05 s'],
  [3599.7, '1 h 00 min'],
  [7_980, '2 h 13 min'],
])('%d seconds', (seconds, text) => {
  expect(formatSeconds(seconds)).toBe(text);
});

it('counts anything', () => {
  expect([formatNumber(1, 'shard'), formatNumber(1000, 'shard')]).toEqual(['1 shard', '1,000 shards']);
});

it('rounds counts', () => {
  expect(formatCount(8174.6)).toBe('8,175');
});
