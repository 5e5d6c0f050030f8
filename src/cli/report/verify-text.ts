import type { Problem, ProblemKind } from '../../batch/verify/problem-list.ts';
import type { Recomputation } from '../../batch/verify/recompute.ts';
import type { VerifyReport } from '../../batch/verify/verify-job.ts';
import { formatCount, formatNumber, formatRows } from './format.ts';

const TITLES: Readonly<Record<ProblemKind, string>> = {
  partial: 'not finished',
  'input-changed': 'another input',
  'job-mismatch': 'another job',
  shard: 'shards that are not as recorded',
  checksum: 'files that are not as published',
  unreadable: 'unreadable results',
  missing: 'missing rows',
  doubled: 'rows that stand more than once',
  foreign: 'rows that are not of the job',
  misplaced: 'rows out of order',
  id: 'wrong ids',
  value: 'values that are not as declared',
  'non-finite': 'rows with NaN or infinities',
  count: 'wrong count',
  recompute: 'results that differ when run again',
};

/** What was found, for a person. */
export function verifyText(report: VerifyReport): string {
  const lines = report.problems.flatMap(problemLines);
  const rows = `${formatRows(report.expected)} expected, ${formatNumber(report.results, 'result')}, ${formatNumber(report.failed, 'error')}`;
  if (report.problems.length === 0) {
    const failed = report.failed > 0 ? ' except for the rows in errors.jsonl' : '';
    lines.push(`Verified: ${rows}; ids, order, values and checksums are right${failed}`);
  } else {
    lines.push(`Not right: ${rows}`);
  }
  if (report.nonFiniteValues > 0) {
    lines.push(`NaN or infinite: ${formatNumber(report.nonFiniteValues, 'value')}`);
  }
  if (report.recomputed !== undefined) {
    lines.push(...recomputedLines(report.recomputed));
  }
  return `${lines.join('\n')}\n`;
}

function recomputedLines({ rows, same, close, nondeterministicNodes }: Recomputation): string[] {
  const rounded = close > 0 ? `, ${formatCount(close)} the same but for rounding` : '';
  const lines = [`Run again: ${formatRows(rows)}, ${formatCount(same)} the same byte for byte${rounded}`];
  if (same < rows && nondeterministicNodes.length > 0) {
    lines.push(
      `The model is not deterministic, so that this says nothing of the results: ${nondeterministicNodes.join(', ')}`,
    );
  }
  return lines;
}

function problemLines({ kind, count, shown }: Problem): string[] {
  const more = count > shown.length ? [`  and ${formatCount(count - shown.length)} more`] : [];
  return [`${TITLES[kind]}:`, ...shown.map((text) => `  ${text}`), ...more];
}

/** What was found, for programs. */
export function verifyToJson(report: VerifyReport): object {
  return {
    event: 'verified',
    job_id: report.jobId,
    ok: report.problems.length === 0,
    expected: report.expected,
    results: report.results,
    failed: report.failed,
    non_finite_values: report.nonFiniteValues,
    problems: report.problems,
    recomputed:
      report.recomputed === undefined
        ? null
        : {
            rows: report.recomputed.rows,
            same: report.recomputed.same,
            close: report.recomputed.close,
            nondeterministic_nodes: report.recomputed.nondeterministicNodes,
          },
  };
}
