import type { ScalarKind } from '../descriptor.ts';
import type { Lexer, Token } from './lexer.ts';
import { decodeStringLiteral } from './string-literal.ts';

export type ScalarValue = number | bigint | boolean | string;

/** What a scalar value of the text is not; the parser adds where. */
export class ScalarError extends Error {
  readonly token: Token;

  constructor(message: string, token: Token) {
    super(message);
    this.token = token;
  }
}

interface IntegerRange {
  readonly min: bigint;
  readonly max: bigint;
}

const INTEGER_RANGES: Readonly<Record<'int32' | 'uint32' | 'int64' | 'uint64', IntegerRange>> = {
  int32: { min: -(2n ** 31n), max: 2n ** 31n - 1n },
  uint32: { min: 0n, max: 2n ** 32n - 1n },
  int64: { min: -(2n ** 63n), max: 2n ** 63n - 1n },
  uint64: { min: 0n, max: 2n ** 64n - 1n },
};

const TRUE_WORDS = ['true', 'True', 't'];
const FALSE_WORDS = ['false', 'False', 'f'];

/**
 * Reads one value of the kind, moving the lexer behind it.
 * @throws {ScalarError} when the token there is no such value.
 */
export function readScalar(lexer: Lexer, kind: ScalarKind): ScalarValue {
  switch (kind) {
    case 'string':
      return readString(lexer);
    case 'bool':
      return readBool(lexer);
    case 'float':
      return Math.fround(readFloat(lexer));
    case 'double':
      return readFloat(lexer);
    case 'int32':
    case 'uint32':
      return Number(readInteger(lexer, kind));
    case 'int64':
    case 'uint64':
      return readInteger(lexer, kind);
  }
}

function readString(lexer: Lexer): string {
  if (lexer.current.kind !== 'string') {
    throw new ScalarError('expected a string in quotes', lexer.current);
  }
  let text = '';
  while (lexer.current.kind === 'string') {
    const { current } = lexer;
    try {
      text += decodeStringLiteral(current.text);
    } catch (error) {
      throw new ScalarError(error instanceof Error ? error.message : String(error), current);
    }
    lexer.next();
  }
  return text;
}

function readBool(lexer: Lexer): boolean {
  const { current } = lexer;
  if (current.kind === 'integer') {
    const value = parseInteger(current.text);
    if (value > 1n) {
      throw new ScalarError('expected true or false, or 0 or 1', current);
    }
    lexer.next();
    return value === 1n;
  }
  const value = TRUE_WORDS.includes(current.text);
  if (current.kind !== 'identifier' || (!value && !FALSE_WORDS.includes(current.text))) {
    throw new ScalarError('expected true or false', current);
  }
  lexer.next();
  return value;
}

/** A signed integer; `kind` gives the range. */
export function readInteger(lexer: Lexer, kind: keyof typeof INTEGER_RANGES): bigint {
  const range = INTEGER_RANGES[kind];
  const first = lexer.current;
  const negative = range.min < 0n && takeMinus(lexer);
  const { current } = lexer;
  if (current.kind !== 'integer') {
    throw new ScalarError('expected an integer', negative ? current : first);
  }
  const value = negative ? -parseInteger(current.text) : parseInteger(current.text);
  if (value < range.min || value > range.max) {
    throw new ScalarError(`expected an integer from ${range.min} to ${range.max}`, current);
  }
  lexer.next();
  return value;
}

function readFloat(lexer: Lexer): number {
  const sign = takeMinus(lexer) ? -1 : 1;
  const { current } = lexer;
  const word = current.text.toLowerCase();
  let magnitude: number;
  if (current.kind === 'float' || current.kind === 'integer') {
    if (current.kind === 'integer' && /^0./.test(current.text)) {
      throw new ScalarError('expected a decimal number', current);
    }
    magnitude = Number(current.text.replace(/f$/i, ''));
  } else if (current.kind === 'identifier' && (word === 'inf' || word === 'infinity')) {
    magnitude = Number.POSITIVE_INFINITY;
  } else if (current.kind === 'identifier' && word === 'nan') {
    magnitude = Number.NaN;
  } else {
    throw new ScalarError('expected a number', current);
  }
  lexer.next();
  return sign * magnitude;
}

function takeMinus(lexer: Lexer): boolean {
  if (lexer.current.kind !== 'symbol' || lexer.current.text !== '-') {
    return false;
  }
  lexer.next();
  return true;
}

/** Value of an integer token: decimal, `0x` hexadecimal, or octal after a leading 0. */
function parseInteger(text: string): bigint {
  return /^0\d/.test(text) ? BigInt(`0o${text}`) : BigInt(text);
}
