import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RowSet } from './row-set.ts';

it('is a set of row numbers', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(99)), (rows) => {
      const set = new RowSet(100);
      for (const row of rows) {
        set.add(row);
      }
      expect(set.size).toBe(new Set(rows).size);
      for (let row = 0; row < 100; row += 1) {
        expect(set.has(row)).toBe(rows.includes(row));
      }
    }),
  );
});
