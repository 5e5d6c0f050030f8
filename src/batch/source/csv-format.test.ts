import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellsOf, readCsvRows, readInput } from '../testing/read-rows.ts';

const SIZES = [1, 2, 3, 7, 64 << 10];

describe('J01: the beginning and the bytes of a file', () => {
  it.each([
    ['a plain header', 'id,x\r\n1,2\r\n'],
    ['a quoted first header', '"id",x\r\n1,2\r\n'],
  ])('a byte order mark before %s is no part of the first name', async (_, text) => {
    const { survey, rows } = await readInput('bom.csv', `\uFEFF${text}`);
    expect(survey.columns).toEqual(['id', 'x']);
    expect(cellsOf(rows)).toEqual([['1', '2']]);
  });

  it('UTF-16 is known by its mark, and any other encoding by its name', async () => {
    const utf16 = Buffer.from('\uFEFFid,x\r\nü,中\r\n', 'utf16le');
    expect(cellsOf((await readInput('a.csv', utf16)).rows)).toEqual([['ü', '中']]);
    const latin1 = Buffer.from('id,x\nü,2\n', 'latin1');
    expect(cellsOf((await readInput('b.csv', latin1, { encoding: 'latin1' })).rows)).toEqual([['ü', '2']]);
  });

  it('bytes that are not UTF-8 are an error of their row, with its line, and no other row is touched', async () => {
    const { rows } = await readInput('c.csv', Buffer.from('id,x\na,1\nü,2\nb,3\n', 'latin1'));
    expect(rows.map(({ kind, line }) => [kind, line])).toEqual([
      ['cells', 2],
      ['invalid', 3],
      ['cells', 4],
    ]);
    expect(cellsOf(rows)[1]).toContain('not UTF-8');
  });

  it('a mark in the middle of joined files is text', async () => {
    const { rows } = await readInput('d.csv', 'id,x\na,1\n\uFEFFid,x\nb,2\n');
    expect(cellsOf(rows)).toEqual([
      ['a', '1'],
      ['\uFEFFid', 'x'],
      ['b', '2'],
    ]);
  });
});

describe('J02: pieces of any size give the same rows', () => {
  const text = 'id,text\r\n1,"ü ""中"" 😀"\r\n2,x\r\n3,"a\r\nb"\r\n4,5" pipe\r\n5,last';

  it.each(SIZES)('%d bytes', async (size) => {
    expect(cellsOf(await readCsvRows(text, size))).toEqual([
      ['1', 'ü "中" 😀'],
      ['2', 'x'],
      ['3', 'a\r\nb'],
      ['4', '5" pipe'],
      ['5', 'last'],
    ]);
  });

  it('any table, written by RFC 4180, is read as it was, in pieces of any size', async () => {
    const cell = fc.stringMatching(/^[ab,;"\r\nü中 ]{0,6}$/);
    const table = fc.array(fc.tuple(cell, cell), { maxLength: 8 });
    const quote = (value: string): string => `"${value.replaceAll('"', '""')}"`;
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom('\n', '\r\n'),
        async (rows, size, end) => {
          const body = rows.map(([a, b]) => `${quote(a)},${quote(b)}${end}`).join('');
          expect(cellsOf(await readCsvRows(`x,y${end}${body}`, size))).toEqual(rows);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('J03: line ends inside and outside of quotes', () => {
  it.each([
    [
      'LF file, CRLF in a field',
      'a,b\n"x\r\ny",1\nz,2\n',
      [
        ['x\r\ny', '1'],
        ['z', '2'],
      ],
    ],
    [
      'CRLF file, LF in a field',
      'a,b\r\n"x\ny",1\r\nz,2\r\n',
      [
        ['x\ny', '1'],
        ['z', '2'],
      ],
    ],
    [
      'three line ends in a field',
      'a,b\n"\n\n\n",1\nz,2\n',
      [
        ['\n\n\n', '1'],
        ['z', '2'],
      ],
    ],
    [
      'a field that ends with CR',
      'a,b\n1,"x\r"\nz,2\n',
      [
        ['1', 'x\r'],
        ['z', '2'],
      ],
    ],
    [
      'CR alone, as on the first Macs',
      'a,b\r1,2\r3,4\r',
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    ['no line end at the end', 'a,b\n1,2', [['1', '2']]],
    [
      'blank lines',
      'a,b\n\n1,2\n  \n\n3,4\n\n',
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
  ])('%s', async (_, text, cells) => {
    for (const size of SIZES) {
      expect(cellsOf(await readCsvRows(text, size)), `pieces of ${size}`).toEqual(cells);
    }
  });

  it('rows after a field of several lines have their right line', async () => {
    const rows = await readCsvRows('a,b\n1,"x\n\ny"\n2,z\n', 3);
    expect(rows.map(({ line }) => line)).toEqual([2, 5]);
  });

  it('a quote that is never closed is one bad row with its own line', async () => {
    const rows = await readCsvRows('a,b\n1,2\n3,"open\n5,6\n7,8\n', 4);
    expect(rows.map(({ kind, line }) => [kind, line])).toEqual([
      ['cells', 2],
      ['invalid', 3],
    ]);
    expect(cellsOf(rows)[1]).toContain('closed nowhere');
  });

  it('misplaced quotes are an error of their row alone', async () => {
    const rows = await readCsvRows('a,b\n1,2\n"3"x,4\n5,6\n', 64);
    expect(rows.map(({ kind }) => kind)).toEqual(['cells', 'invalid', 'cells']);
  });
});

describe('a header', () => {
  it.each([
    [';', 'a;b;c\n1;2;3\n', "';'"],
    ['\t', 'a\tb\n1\t2\n', 'a tab'],
    ['|', 'a|b\n1|2\n', "'|'"],
  ])('with %j tells the delimiter, and it is said', async (_, text, told) => {
    const { rows, notices } = await readInput('x.csv', text);
    expect(cellsOf(rows)).toEqual([['1', '2', '3'].slice(0, (cellsOf(rows)[0] as string[]).length)]);
    expect(notices.join()).toContain(told);
  });

  it.each([
    ['an empty file', '', 'is empty'],
    ['blank lines only', '\n\n', 'is empty'],
    ['a column twice', 'a,b,a\n1,2,3\n', "names two columns 'a', 1 and 3"],
    ['a column without a name', 'a,,b\n1,2,3\n', 'has no name for column 2'],
    ['an open quote', 'a,"b\n1,2\n', 'opens a quote'],
  ])('%s is refused before the first row', async (_, text, told) => {
    await expect(readInput('x.csv', text, { inputFormat: 'csv' })).rejects.toMatchObject({
      reason: 'INPUT_UNREADABLE',
      message: expect.stringContaining(told),
    });
  });

  it('longer than a chunk is put together first', async () => {
    const columns = Array.from({ length: 30_000 }, (_, index) => `column_${index}`);
    const { survey, rows } = await readInput(
      'wide.csv',
      `${columns.join(',')}\n${columns.map(() => '1').join(',')}\n`,
    );
    expect(survey.columns).toEqual(columns);
    expect(rows).toHaveLength(1);
  });
});

it('a row with more or fewer fields than the header is an error of its row', async () => {
  const rows = await readCsvRows('a,b\n1\n1,2,3\n1,2\n', 64);
  expect(cellsOf(rows)).toEqual([
    'expected 2 fields as in the header, got 1',
    'expected 2 fields as in the header, got 3',
    ['1', '2'],
  ]);
});
