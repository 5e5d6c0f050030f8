/** String literals of protobuf's text format: C escapes over bytes, UTF-8 as text. */

const SIMPLE_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['a', '\u0007'],
  ['b', '\b'],
  ['t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['"', '"'],
  ["'", "'"],
  ['?', '?'],
  ['\\', '\\'],
]);

const HEX = '[0-9a-fA-F]';

/** A backslash and what belongs to it: nothing where it begins no escape. */
const ESCAPE = new RegExp(
  `\\\\(?:${[
    '([0-7]{1,3})',
    `[xX](${HEX}{1,2})`,
    `(?:u|U0000)([dD][89abAB]${HEX}{2})\\\\u([dD][c-fC-F]${HEX}{2})`,
    `u(${HEX}{4})`,
    `U(00[01]${HEX}{5})`,
    `([abtnvfr"'?\\\\])`,
  ].join('|')}|)`,
  'g',
);

const LAST_CODE_POINT = 0x10ffff;

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The text that adjacent literals, quotes included, stand for.
 * @throws {SyntaxError} for an unknown escape, or bytes that are no UTF-8: C++ keeps those, but proto3 allows no such string.
 */
export function decodeStringLiterals(literals: readonly string[]): string {
  const bodies = literals.map((literal) => literal.slice(1, -1));
  if (!bodies.some((body) => body.includes('\\'))) {
    return bodies.join('');
  }
  const bytes = bodies.map((body) => toByteString(body).replace(ESCAPE, decodeEscape)).join('');
  try {
    return UTF8.decode(Buffer.from(bytes, 'latin1'));
  } catch (error) {
    throw new SyntaxError('expected a string whose escapes give UTF-8 text', { cause: error });
  }
}

/** UTF-8 as a string of one character a byte, since escapes may stand for parts of a character. */
function toByteString(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** Takes the captures of `ESCAPE`; the result is a byte string. */
function decodeEscape(
  _escape: string,
  octal: string | undefined,
  hex: string | undefined,
  head: string | undefined,
  trail: string | undefined,
  short: string | undefined,
  long: string | undefined,
  simple: string | undefined,
): string {
  if (octal !== undefined) {
    return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
  }
  if (hex !== undefined) {
    return String.fromCharCode(Number.parseInt(hex, 16));
  }
  if (head !== undefined && trail !== undefined) {
    return toByteString(String.fromCharCode(Number.parseInt(head, 16), Number.parseInt(trail, 16)));
  }
  const code = short ?? long;
  if (code !== undefined) {
    return encodeCodePoint(Number.parseInt(code, 16));
  }
  const text = SIMPLE_ESCAPES.get(simple ?? '');
  if (text === undefined) {
    throw new SyntaxError('expected a string in which every backslash begins an escape of text format');
  }
  return text;
}

function encodeCodePoint(point: number): string {
  if (point > LAST_CODE_POINT) {
    // C++ leaves an escape beyond Unicode as text.
    return `\\U00${point.toString(16)}`;
  }
  if (point >= 0xd800 && point <= 0xdfff) {
    // Half of a surrogate pair: three bytes that then fail as UTF-8.
    return String.fromCharCode(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f));
  }
  return toByteString(String.fromCodePoint(point));
}

const NAME_OF_ESCAPE: ReadonlyMap<string, string> = new Map(
  [...SIMPLE_ESCAPES].map(([name, char]) => [char, name]),
);

/** A literal that reads back as `text`: in double quotes, on one line. */
export function encodeStringLiteral(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to escape
  const escaped = text.replace(/["\\\u0000-\u001f\u007f]/g, (char) => {
    return `\\${NAME_OF_ESCAPE.get(char) ?? char.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
  return `"${escaped}"`;
}
