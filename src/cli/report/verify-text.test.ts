import { describe, expect, it } from 'vitest';
import type { VerifyReport } from '../../batch/verify/verify-job.ts';
import { verifyText, verifyToJson } from './verify-text.ts';

const GOOD: VerifyReport = {
  jobId: 'job_1',
  problems: [],
  expected: 1797,
  results: 1797,
  failed: 0,
  nonFiniteValues: 0,
  recomputed: undefined,
};

const linesOf = (changed: Partial<VerifyReport>): string[] =>
  verifyText({ ...GOOD, ...changed })
    .trimEnd()
    .split('\n');

describe('verifyText', () => {
  it('says that all is right', () => {
    expect(linesOf({})).toEqual([
      'Verified: 1,797 rows expected, 1,797 results, 0 errors; ids, order, values and checksums are right',
    ]);
  });

  it('tells rows that failed apart', () => {
    expect(linesOf({ results: 1795, failed: 2, nonFiniteValues: 1 })).toEqual([
      'Verified: 1,797 rows expected, 1,795 results, 2 errors; ids, order, values and checksums are right except for the ' +
        'rows in errors.jsonl',
      'NaN or infinite: 1 value',
    ]);
  });

  it('lists problems by kind, and how many more there are', () => {
    const shown = ["'rec_00992', row 992"];
    expect(linesOf({ results: 1795, problems: [{ kind: 'missing', count: 2, shown }] })).toEqual([
      'missing rows:',
      "  'rec_00992', row 992",
      '  and 1 more',
      'Not right: 1,797 rows expected, 1,795 results, 0 errors',
    ]);
  });

  it('says what running rows again gave', () => {
    const recomputed = { rows: 10, same: 8, close: 2, nondeterministicNodes: [] };
    expect(linesOf({ recomputed }).slice(1)).toEqual([
      'Run again: 10 rows, 8 the same byte for byte, 2 the same but for rounding',
    ]);
  });

  it('O07: says that a model is not deterministic', () => {
    const recomputed = { rows: 10, same: 0, close: 0, nondeterministicNodes: ['Dropout_3'] };
    expect(linesOf({ recomputed }).slice(1)).toEqual([
      'Run again: 10 rows, 0 the same byte for byte',
      'The model is not deterministic, so that this says nothing of the results: Dropout_3',
    ]);
  });
});

it('is one object for programs', () => {
  const problems = [{ kind: 'missing', count: 1, shown: ["'rec_00992', row 992"] }] as const;
  const recomputed = { rows: 3, same: 1, close: 1, nondeterministicNodes: ['Dropout_3'] };
  expect(verifyToJson({ ...GOOD, problems, recomputed })).toEqual({
    event: 'verified',
    job_id: 'job_1',
    ok: false,
    expected: 1797,
    results: 1797,
    failed: 0,
    non_finite_values: 0,
    problems,
    recomputed: { rows: 3, same: 1, close: 1, nondeterministic_nodes: ['Dropout_3'] },
  });
  expect(verifyToJson(GOOD)).toMatchObject({ ok: true, recomputed: null });
});
