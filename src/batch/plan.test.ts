import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type PlanRequest, planShards, shardAt } from './plan.ts';

const request: fc.Arbitrary<PlanRequest> = fc
  .record({
    rows: fc.integer({ min: 0, max: 20_000 }),
    bytesPerRow: fc.integer({ min: 1, max: 20 << 20 }),
    firstRow: fc.integer({ min: 0, max: 20_000 }),
    batchSize: fc.integer({ min: 1, max: 512 }),
    shardRows: fc.option(fc.integer({ min: 1, max: 30_000 }), { nil: undefined }),
  })
  .map(({ bytesPerRow, ...rest }) => ({ ...rest, textBytes: rest.rows * bytesPerRow }));

it('every row of the job is in exactly one shard, in order', () => {
  fc.assert(
    fc.property(request, (wanted) => {
      const plan = planShards(wanted);
      let next = wanted.firstRow;
      for (let index = 0; index < plan.shardCount; index += 1) {
        const shard = shardAt(plan, index);
        expect(shard).toMatchObject({ index, start: next });
        expect(shard.end).toBeGreaterThan(shard.start);
        next = shard.end;
      }
      expect(next).toBe(Math.max(wanted.firstRow, wanted.rows));
    }),
    { numRuns: 50 },
  );
});

it('the same request gives the same plan, and a given size is kept', () => {
  fc.assert(
    fc.property(request, (wanted) => {
      const plan = planShards(wanted);
      expect(planShards(wanted)).toEqual(plan);
      expect(planShards({ ...wanted, shardRows: plan.shardRows })).toEqual(plan);
      if (wanted.shardRows !== undefined) {
        expect(plan.shardRows).toBe(wanted.shardRows);
      }
    }),
  );
});

it('a hundred million rows are planned without a list of them', () => {
  const plan = planShards({ rows: 1e8, textBytes: 2e10, firstRow: 0, batchSize: 32, shardRows: undefined });
  expect(plan.shardRows % 32).toBe(0);
  expect(shardAt(plan, plan.shardCount - 1).end).toBe(1e8);
});
