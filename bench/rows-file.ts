import { closeSync, openSync, writeSync } from 'node:fs';
import { createRandom } from './random.ts';

/** Rows that are made; a longer file has them again and again. */
const DISTINCT_ROWS = 4000;

/** Writes a CSV file with the columns `f0`, `f1`, ... and numbers of four decimals from -2 to 2. @returns its size. */
export function writeRowsFile(path: string, rows: number, columns: number): number {
  const lines = createLines(Math.min(rows, DISTINCT_ROWS), columns);
  const block = Buffer.from(lines.join(''));
  const header = Array.from({ length: columns }, (_, index) => `f${index}`).join(',');
  const file = openSync(path, 'w');
  let bytes = writeSync(file, `${header}\n`);
  let left = rows;
  while (left > 0) {
    const whole = left >= lines.length;
    bytes += writeSync(file, whole ? block : Buffer.from(lines.slice(0, left).join('')));
    left -= lines.length;
  }
  closeSync(file);
  return bytes;
}

function createLines(rows: number, columns: number): string[] {
  const random = createRandom(2);
  return Array.from({ length: rows }, () => {
    const numbers = Array.from({ length: columns }, () => (random.next() * 4 - 2).toFixed(4));
    return `${numbers.join(',')}\n`;
  });
}
