/** Numbers and times for people. */

export function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** `1,234 rows`, `1 row` */
export function formatRows(count: number): string {
  return formatNumber(count, 'row');
}

/** `1,234 shards`, `1 shard` */
export function formatNumber(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `57 %`; all of nothing is everything. */
export function formatPercent(part: number, whole: number): string {
  return `${whole === 0 ? 100 : Math.floor((100 * part) / whole)} %`;
}

/** `3.2 s`, `4 min 05 s`, `2 h 13 min` */
export function formatSeconds(seconds: number): string {
  if (seconds < 9.95) {
    return `${seconds.toFixed(1)} s`;
  }
  const whole = Math.round(seconds);
  if (whole < 60) {
    return `${whole} s`;
  }
  if (whole < 3600) {
    return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
  }
  return `${Math.floor(whole / 3600)} h ${String(Math.floor((whole % 3600) / 60)).padStart(2, '0')} min`;
}
