import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCommandLine, shortenPath } from './command-line.ts';

describe('formatCommandLine', () => {
  it.each([
    [['millrace', 'submit', '--input-file', 'a/b-1.csv'], 'millrace submit --input-file a/b-1.csv'],
    [['--map', 'x=p0..p63', '--keep', 'a,b'], '--map x=p0..p63 --keep a,b'],
    [['my file.csv'], "'my file.csv'"],
    [["it's"], "'it'\\''s'"],
    [[''], "''"],
    [['$HOME', '*', '~', ';', '#'], "'$HOME' '*' '~' ';' '#'"],
  ])('%j', (words, line) => {
    expect(formatCommandLine(words)).toBe(line);
  });

  it('is read by a shell as it was', () => {
    const word = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\0'));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
        const print = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))';
        const line = formatCommandLine([process.execPath, '-e', print, '--', ...words]);
        expect(JSON.parse(execFileSync('sh', ['-c', line], { encoding: 'utf8' }))).toEqual(words);
      }),
      { numRuns: 12 },
    );
  });
});

describe('shortenPath', () => {
  it.each([
    ['/home/me/out/results.jsonl', '/home/me', 'out/results.jsonl'],
    ['/home/you/out', '/home/me', '/home/you/out'],
    ['/home/me', '/home/me', '/home/me'],
    ['out', '/home/me', 'out'],
  ])('%s from %s', (path, cwd, short) => {
    expect(shortenPath(path.startsWith('/') ? path : `${cwd}/${path}`, cwd)).toBe(short);
  });
});
