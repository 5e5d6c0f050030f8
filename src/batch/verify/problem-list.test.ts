import { expect, it } from 'vitest';
import { ProblemList } from './problem-list.ts';

it('shows the first ten of a kind and counts all', async () => {
  const problems = new ProblemList();
  let made = 0;
  for (let row = 0; row < 25; row += 1) {
    await problems.addLater('missing', async () => {
      made += 1;
      return `row ${row}`;
    });
  }
  problems.add('id', 'row 3 has another id');
  expect(problems.list()).toEqual([
    { kind: 'missing', count: 25, shown: Array.from({ length: 10 }, (_, row) => `row ${row}`) },
    { kind: 'id', count: 1, shown: ['row 3 has another id'] },
  ]);
  expect(made).toBe(10);
});
