import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { cellsOf, readInput, readJsonlRows } from '../testing/read-rows.ts';

const SIZES = [1, 2, 3, 7, 64 << 10];

describe('J02: pieces of any size give the same rows', () => {
  it.each(SIZES)('%d bytes', async (size) => {
    const text = '{"t":"ü \\"中\\" 😀"}\r\n\r\n{"t":2}\n{"t":"last"}';
    const rows = await readJsonlRows(text, size);
    expect(cellsOf(rows)).toEqual([{ t: 'ü "中" 😀' }, { t: 2 }, { t: 'last' }]);
    expect(rows.map(({ line }) => line)).toEqual([1, 3, 4]);
  });
});

it('J07: every line that is no JSON object is an error of its own, and the others are rows', async () => {
  const lines = ['{"x":1}', '[1,2]', 'null', '"s"', '42', '{}', '{"x":', '', '  ', '{"x":NaN}', '{"x":2}'];
  const rows = await readJsonlRows(lines.join('\n'), 5);
  expect(rows.map(({ kind, line }) => `${line} ${kind}`)).toEqual([
    '1 fields',
    '2 invalid',
    '3 invalid',
    '4 invalid',
    '5 invalid',
    '6 fields',
    '7 invalid',
    '10 invalid',
    '11 fields',
  ]);
  expect(cellsOf(rows).slice(1, 5)).toEqual([
    'expected a JSON object, got an array',
    'expected a JSON object, got null',
    'expected a JSON object, got a string',
    'expected a JSON object, got a number',
  ]);
});

it('P09: integers beyond 2^53 keep all their digits', async () => {
  const [row] = await readJsonlRows(
    '{"a":9007199254740993,"b":-9223372036854775808,"c":[18446744073709551615],"d":1e3}',
    9,
  );
  expect(cellsOf(row === undefined ? [] : [row])).toEqual([
    { a: 9007199254740993n, b: -(2n ** 63n), c: [18446744073709551615n], d: 1000 },
  ]);
});

it.each([
  ['a key of the prototype', '{"__proto__":{"x":1}}'],
  ['deep nesting', `{"x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
  ['a NUL', '{"x":"\\u0000"}'],
  ['a lone surrogate', '{"x":"\\ud800"}'],
])('%s harms nothing', async (_, text) => {
  const rows = await readJsonlRows(`${text}\n{"x":1}`, 64 << 10);
  expect(rows).toHaveLength(2);
  expect(cellsOf(rows)[1]).toEqual({ x: 1 });
  expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
});

describe('an input file', () => {
  it('is known by its content where its name does not tell, gzip too', async () => {
    const text = '{"x":1}\n{"x":2}\n';
    for (const content of [text, gzipSync(text)]) {
      const { survey } = await readInput('data', content);
      expect(survey).toMatchObject({ format: 'jsonl', rows: 2, columns: ['x'], textBytes: text.length });
    }
  });

  it('cut short in gzip is refused', async () => {
    const whole = gzipSync(Buffer.from('{"x":1}\n'.repeat(1000)));
    await expect(readInput('x.jsonl.gz', whole.subarray(0, whole.length - 9))).rejects.toMatchObject({
      reason: 'INPUT_UNREADABLE',
      message: expect.stringContaining('damaged or cut short'),
    });
  });
});
