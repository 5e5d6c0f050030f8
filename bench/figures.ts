/** What one line of the table says. */
export interface Figure {
  readonly what: string;
  readonly unit: Unit;
  /** One value a round, in the order in which they were measured. */
  readonly values: readonly number[];
  /** What the median must reach; undefined: shown for the reader, nothing is asked of it. */
  readonly target?: Target;
}

export type Unit = '%' | 'times' | 'rows/s' | 'rows' | 'MB' | 's';
export type Target =
  | { readonly atLeast: number }
  | { readonly atMost: number }
  | { readonly between: readonly [number, number] };

/** Each value of `values` in percent of the one at the same place in `of`. */
export function toPercent(values: readonly number[], of: readonly number[]): number[] {
  return toRatios(values, of).map((ratio) => ratio * 100);
}

/** Each value of `values` over the one at the same place in `of`. */
export function toRatios(values: readonly number[], of: readonly number[]): number[] {
  return values.map((value, index) => value / (of[index] ?? Number.NaN));
}

/** Undefined where nothing is asked. */
function meetsTarget({ values, target }: Figure): boolean | undefined {
  if (target === undefined) {
    return undefined;
  }
  const value = medianOf(values);
  if ('atLeast' in target) {
    return value >= target.atLeast;
  }
  return 'atMost' in target
    ? value <= target.atMost
    : value >= target.between[0] && value <= target.between[1];
}

/** A table in Markdown with a line a figure. */
export function renderFigures(figures: readonly Figure[]): string {
  const lines = figures.map((figure) => {
    const { what, unit, values } = figure;
    const numbers = [Math.min(...values), medianOf(values), Math.max(...values)].map(formatValue);
    const met = { true: 'met', false: '**missed**', undefined: '' }[`${meetsTarget(figure)}`];
    return `| ${what} | ${unit} | ${numbers.join(' | ')} | ${describeTarget(figure.target)} | ${met} |`;
  });
  return ['| what | unit | min | median | max | target | |', '|---|---|--:|--:|--:|---|---|', ...lines].join(
    '\n',
  );
}

function describeTarget(target: Target | undefined): string {
  if (target === undefined) {
    return '';
  }
  if ('between' in target) {
    return `${target.between[0]} to ${target.between[1]}`;
  }
  return 'atLeast' in target ? `at least ${target.atLeast}` : `at most ${target.atMost}`;
}

/** Three significant digits, and every digit before the point. */
function formatValue(value: number): string {
  const digits = Math.max(0, 3 - String(Math.trunc(Math.abs(value))).length);
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
