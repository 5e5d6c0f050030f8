import { expect, it } from 'vitest';
import { selectVersions } from './version-policy.ts';

const AVAILABLE = [1n, 3n, 10n];

it('all: every version', () => {
  expect(selectVersions({ kind: 'all' }, AVAILABLE)).toEqual([1n, 3n, 10n]);
});

it('latest: the highest by number', () => {
  expect(selectVersions({ kind: 'latest', count: 1 }, AVAILABLE)).toEqual([10n]);
  expect(selectVersions({ kind: 'latest', count: 2 }, AVAILABLE)).toEqual([3n, 10n]);
  expect(selectVersions({ kind: 'latest', count: 9 }, AVAILABLE)).toEqual([1n, 3n, 10n]);
});

it('specific: those named that are there, rising', () => {
  expect(selectVersions({ kind: 'specific', versions: [10n, 7n, 1n] }, AVAILABLE)).toEqual([1n, 10n]);
});
