/**
 * Tokens of protobuf's text format, with the rules of its C++ tokenizer as TextFormat sets it up: `#` comments, strings
 * that end on their line, a space between a number and a word, `f` after a float.
 * @see https://protobuf.dev/reference/protobuf/textformat-spec/
 * @see https://github.com/protocolbuffers/protobuf/blob/main/src/google/protobuf/io/tokenizer.cc
 */

/** Where a token begins; both count from 1, the column in characters. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface Token {
  readonly kind: 'identifier' | 'integer' | 'float' | 'string' | 'symbol' | 'invalid' | 'end';
  /** As written, quotes included; empty at the end of the text. */
  readonly text: string;
  readonly position: Position;
  /** Why an `invalid` token is none. */
  readonly problem?: string;
}

/** Both are loops over one set of characters, so that no length of them exhausts the stack of the regular expression. */
const SPACE = /[ \t\r\n\f\v]*/y;
const COMMENT = /#[^\n\0]*/y;

const IDENTIFIER = /[A-Za-z_]\w*/y;
const HEXADECIMAL = /0[xX][0-9a-fA-F]+/y;
const OCTAL = /0\d+/y;
const DECIMAL = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fF]?/y;
/** What makes a number that stands before it invalid. */
const GLUED = /[\w.]+/y;

/** `${X}`, `$X`, `{{ x }}`, `@X@`, `%X%`: no text has any of them outside of strings and comments. */
const PLACEHOLDER = /\$\{[^{}\n]*\}|\{\{[\w .|-]*\}\}|[$@%]\w*[@%]?/y;

const CHARACTER = /./suy;

/** Reads one token after the other; the parser looks at `current`. What is no token is one of the kind `invalid`. */
export class Lexer {
  readonly #text: string;
  #offset = 0;
  #line = 1;
  #lineStart = 0;
  current: Token;

  constructor(text: string) {
    this.#text = text;
    this.current = this.#read();
  }

  /** Returns the current token and moves on. */
  next(): Token {
    const token = this.current;
    this.current = this.#read();
    return token;
  }

  #read(): Token {
    this.#skipSpace();
    const position = { line: this.#line, column: this.#offset - this.#lineStart + 1 };
    const char = this.#text[this.#offset];
    if (char === undefined) {
      return { kind: 'end', text: '', position };
    }
    if (char === '"' || char === "'") {
      return this.#readString(char, position);
    }
    const identifier = this.#take(IDENTIFIER);
    if (identifier !== '') {
      return { kind: 'identifier', text: identifier, position };
    }
    const integer = this.#take(HEXADECIMAL) || this.#take(OCTAL);
    const number = integer || this.#take(DECIMAL);
    if (number !== '') {
      return this.#finishNumber(number, integer !== '' || /^\d+$/.test(number), position);
    }
    const placeholder = this.#take(PLACEHOLDER);
    if (placeholder !== '') {
      const problem = 'a template placeholder was left in: fill in the template first';
      return { kind: 'invalid', text: placeholder, position, problem };
    }
    return this.#readSymbol(position);
  }

  #readSymbol(position: Position): Token {
    const char = this.#take(CHARACTER);
    if (char === '\uFEFF') {
      const problem = 'protobuf takes no byte order mark: save the file as UTF-8 without it';
      return { kind: 'invalid', text: '\\uFEFF', position, problem };
    }
    if (char < ' ') {
      return { kind: 'invalid', text: JSON.stringify(char), position, problem: 'a control character' };
    }
    return { kind: 'symbol', text: char, position };
  }

  #finishNumber(number: string, isInteger: boolean, position: Position): Token {
    const glued = this.#take(GLUED);
    if (glued !== '') {
      const problem = 'a number must be followed by a space or a sign';
      return { kind: 'invalid', text: number + glued, position, problem };
    }
    if (isInteger && /^0\d*[89]/.test(number)) {
      const problem = 'a number that begins with 0 is octal and has only the digits 0 to 7';
      return { kind: 'invalid', text: number, position, problem };
    }
    return { kind: isInteger ? 'integer' : 'float', text: number, position };
  }

  #readString(quote: string, position: Position): Token {
    const start = this.#offset;
    let end = start + 1;
    for (;;) {
      const char = this.#text[end];
      if (char === quote) {
        this.#offset = end + 1;
        return { kind: 'string', text: this.#text.slice(start, end + 1), position };
      }
      if (char === undefined || char === '\n' || char === '\0') {
        this.#offset = end;
        const problem = `the string has no closing ${quote} on its line`;
        return { kind: 'invalid', text: this.#text.slice(start, end), position, problem };
      }
      end += char === '\\' ? 2 : 1;
    }
  }

  #skipSpace(): void {
    do {
      const space = this.#take(SPACE);
      for (let index = space.indexOf('\n'); index !== -1; index = space.indexOf('\n', index + 1)) {
        this.#line += 1;
        this.#lineStart = this.#offset - space.length + index + 1;
      }
    } while (this.#take(COMMENT) !== '');
  }

  /** The text that `pattern` matches right here, or an empty one. */
  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#offset;
    const text = pattern.exec(this.#text)?.[0] ?? '';
    this.#offset += text.length;
    return text;
  }
}
