/**
 * Tokens of protobuf's text format, with the rules of its C++ tokenizer as TextFormat sets it up: `#` comments, strings
 * over several lines, no space needed between a number and a word, `f` after a float.
 * @see https://protobuf.dev/reference/protobuf/textformat-spec/
 * @see https://github.com/protocolbuffers/protobuf/blob/main/src/google/protobuf/io/tokenizer.cc
 */

/** Where a token begins; both count from 1, the column in characters. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export type TokenKind = 'identifier' | 'integer' | 'float' | 'string' | 'symbol' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** As written, quotes included; empty at the end of the file. */
  readonly text: string;
  readonly position: Position;
}

/** What the lexer could not read. */
export class LexerError extends Error {
  readonly position: Position;
  readonly token: string;

  constructor(message: string, token: string, position: Position) {
    super(message);
    this.position = position;
    this.token = token;
  }
}

const SPACE_AND_COMMENTS = /(?:[ \t\r\n\f\v]|#[^\n]*)+/y;
const IDENTIFIER = /[A-Za-z_]\w*/y;
const HEXADECIMAL = /0[xX][0-9a-fA-F]+/y;
const DECIMAL = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[fF]?/y;

/** Reads one token after the other; the parser looks at `current`. */
export class Lexer {
  readonly #text: string;
  #offset = 0;
  #line = 1;
  #lineStart = 0;
  current: Token;

  /** @throws {LexerError} when the first token cannot be read. */
  constructor(text: string) {
    this.#text = text.startsWith('\uFEFF') ? text.slice(1) : text;
    this.current = this.#read();
  }

  /** Returns the current token and moves on. @throws {LexerError} when the next one cannot be read. */
  next(): Token {
    const token = this.current;
    this.current = this.#read();
    return token;
  }

  #read(): Token {
    this.#take(SPACE_AND_COMMENTS);
    const position = { line: this.#line, column: this.#offset - this.#lineStart + 1 };
    const char = this.#text[this.#offset];
    if (char === undefined) {
      return { kind: 'end', text: '', position };
    }
    if (char === '"' || char === "'") {
      return { kind: 'string', text: this.#readString(char, position), position };
    }
    const identifier = this.#take(IDENTIFIER);
    if (identifier !== '') {
      return { kind: 'identifier', text: identifier, position };
    }
    const hexadecimal = this.#take(HEXADECIMAL);
    if (hexadecimal !== '') {
      return { kind: 'integer', text: hexadecimal, position };
    }
    const number = this.#take(DECIMAL);
    if (number !== '') {
      return this.#classifyNumber(number, position);
    }
    if (char < ' ' || char === '\u007f') {
      throw new LexerError('a control character has no place here', JSON.stringify(char), position);
    }
    this.#offset += 1;
    return { kind: 'symbol', text: char, position };
  }

  #classifyNumber(text: string, position: Position): Token {
    if (!/^\d+$/.test(text)) {
      return { kind: 'float', text, position };
    }
    if (/^0[0-9]*[89]/.test(text)) {
      throw new LexerError(
        'a number that begins with 0 is octal and has only the digits 0 to 7',
        text,
        position,
      );
    }
    return { kind: 'integer', text, position };
  }

  #readString(quote: string, position: Position): string {
    const start = this.#offset;
    let end = start + 1;
    while (this.#text[end] !== quote) {
      if (end >= this.#text.length) {
        throw new LexerError(
          'the string has no closing quote',
          this.#text.slice(start, start + 20),
          position,
        );
      }
      end += this.#text[end] === '\\' ? 2 : 1;
    }
    const text = this.#text.slice(start, end + 1);
    this.#advance(text);
    return text;
  }

  /** The text that `pattern` matches right here, or an empty one. */
  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#offset;
    const text = pattern.exec(this.#text)?.[0] ?? '';
    this.#advance(text);
    return text;
  }

  #advance(text: string): void {
    for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) {
      this.#line += 1;
      this.#lineStart = this.#offset + index + 1;
    }
    this.#offset += text.length;
  }
}
