/**
 * The one run of neighbouring columns `p0, p1, ...` (or from 1 on) that has just `length` members; undefined when there
 * is none, or more than one.
 * @param reserved columns that have another use.
 */
export function findNumberedRange(
  columns: readonly string[],
  length: number | undefined,
  reserved: readonly string[],
): readonly string[] | undefined {
  if (length === undefined || length < 2) {
    return undefined;
  }
  const runs = numberedRuns(columns).filter(
    (run) => run.length === length && !run.some((column) => reserved.includes(column)),
  );
  return runs.length === 1 ? runs[0] : undefined;
}

/** Longest runs of neighbours with one prefix and numbers that rise by one, each beginning with 0 or 1. */
function numberedRuns(columns: readonly string[]): readonly (readonly string[])[] {
  const runs: string[][] = [];
  let next: { readonly prefix: string; readonly number: number } | undefined;
  for (const column of columns) {
    const [, prefix = '', digits] = /^(.*?)(\d+)$/.exec(column) ?? [];
    const number = digits === undefined ? undefined : Number(digits);
    if (number !== undefined && next?.prefix === prefix && next.number === number) {
      runs.at(-1)?.push(column);
      next = { prefix, number: number + 1 };
    } else if (number === 0 || number === 1) {
      runs.push([column]);
      next = { prefix, number: number + 1 };
    } else {
      next = undefined;
    }
  }
  return runs;
}
