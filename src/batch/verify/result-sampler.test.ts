import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ResultSampler } from './result-sampler.ts';

function sample(wanted: number, total: number): number[] {
  const sampler = new ResultSampler(wanted, total);
  for (let row = 0; row < total; row += 1) {
    sampler.offer({ row, id: '', outputs: new Map(), problem: undefined });
  }
  return sampler.samples.map(({ row }) => row);
}

it('picks results at even distances, none twice', () => {
  expect(sample(4, 100)).toEqual([12, 37, 62, 87]);
  expect(sample(3, 3)).toEqual([0, 1, 2]);
  expect(sample(0, 5)).toEqual([]);
  expect(sample(5, 0)).toEqual([]);
});

it('picks as many as asked for, or all there are', () => {
  fc.assert(
    fc.property(fc.nat(40), fc.nat(200), (wanted, total) => {
      const rows = sample(wanted, total);
      expect(rows).toHaveLength(Math.min(wanted, total));
      expect(new Set(rows).size).toBe(rows.length);
      expect(rows).toEqual([...rows].sort((a, b) => a - b));
    }),
  );
});
