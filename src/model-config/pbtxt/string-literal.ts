/** String literals of protobuf's text format: C escapes over bytes, UTF-8 as text. */

const SIMPLE_ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  '?': 63,
  "'": 39,
  '"': 34,
  '\\': 92,
};

const ESCAPE =
  /\\(?:([0-7]{1,3})|[xX]([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([abfnrtv?'"\\])|)/g;

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The text that a literal, quotes included, stands for.
 * @throws {SyntaxError} for an unknown escape, or bytes that are no UTF-8.
 */
export function decodeStringLiteral(literal: string): string {
  const body = literal.slice(1, -1);
  if (!body.includes('\\')) {
    return body;
  }
  const bytes: Buffer[] = [];
  let end = 0;
  for (const match of body.matchAll(ESCAPE)) {
    bytes.push(Buffer.from(body.slice(end, match.index)), decodeEscape(match));
    end = match.index + match[0].length;
  }
  bytes.push(Buffer.from(body.slice(end)));
  try {
    return UTF8.decode(Buffer.concat(bytes));
  } catch {
    throw new SyntaxError('the escapes do not give UTF-8 text');
  }
}

function decodeEscape([text, octal, hexadecimal, short, long, simple]: RegExpMatchArray): Buffer {
  if (octal !== undefined) {
    return Buffer.from([Number.parseInt(octal, 8) & 0xff]);
  }
  if (hexadecimal !== undefined) {
    return Buffer.from([Number.parseInt(hexadecimal, 16)]);
  }
  const code = short ?? long;
  if (code !== undefined) {
    const point = Number.parseInt(code, 16);
    if (point > 0x10ffff) {
      throw new SyntaxError(`the escape '${text}' is beyond the last character of Unicode`);
    }
    return encodeSurrogates(point);
  }
  const byte = simple === undefined ? undefined : SIMPLE_ESCAPES[simple];
  if (byte === undefined) {
    throw new SyntaxError('a backslash begins an escape that text format does not have');
  }
  return Buffer.from([byte]);
}

/** UTF-8 of a code point; half of a surrogate pair as its own three bytes, which then fail as UTF-8. */
function encodeSurrogates(point: number): Buffer {
  if (point >= 0xd800 && point <= 0xdfff) {
    return Buffer.from([0xe0 | (point >> 12), 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f)]);
  }
  return Buffer.from(String.fromCodePoint(point));
}

/** A literal that `decodeStringLiteral` turns back into `text`: in double quotes, on one line. */
export function encodeStringLiteral(text: string): string {
  let escaped = '';
  for (const char of text) {
    const code = char.charCodeAt(0);
    const named = Object.entries(SIMPLE_ESCAPES).find(
      ([name, byte]) => byte === code && name !== "'" && name !== '?',
    );
    if (named !== undefined) {
      escaped += `\\${named[0]}`;
    } else {
      escaped += code < 32 || code === 127 ? `\\${code.toString(8).padStart(3, '0')}` : char;
    }
  }
  return `"${escaped}"`;
}
