import type { EnumDescriptor, ScalarKind } from '../descriptor.ts';
import type { Lexer } from './lexer.ts';
import { nameEnumValue, type ScalarValue } from './message-value.ts';
import { decodeStringLiterals } from './string-literal.ts';
import { TokenError } from './syntax-error.ts';

const INTEGER_RANGES = {
  int32: { min: -(2n ** 31n), max: 2n ** 31n - 1n },
  uint32: { min: 0n, max: 2n ** 32n - 1n },
  int64: { min: -(2n ** 63n), max: 2n ** 63n - 1n },
  uint64: { min: 0n, max: 2n ** 64n - 1n },
} as const satisfies Partial<Record<ScalarKind, { readonly min: bigint; readonly max: bigint }>>;

/** Digits of the largest uint64 in octal, its prefix included: more are out of every range, and need no arithmetic. */
const MAX_INTEGER_DIGITS = 23;

const TRUE_WORDS = ['true', 'True', 't'];
const FALSE_WORDS = ['false', 'False', 'f'];

/**
 * Reads one value of the kind, moving the lexer behind it.
 * @throws {TokenError} when there is no such value.
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

/** @throws {TokenError} when there is neither a name nor a number of the enum. */
export function readEnum(lexer: Lexer, { numbers }: EnumDescriptor): ScalarValue {
  const { current } = lexer;
  if (current.kind === 'integer' || isMinus(lexer)) {
    return nameEnumValue(numbers, Number(readInteger(lexer, 'int32')));
  }
  if (current.kind !== 'identifier' || !numbers.has(current.text)) {
    throw new TokenError('expected the name of an enum value', current, [...numbers.keys()]);
  }
  return lexer.next().text;
}

function readString(lexer: Lexer): string {
  const first = lexer.current;
  const literals: string[] = [];
  while (lexer.current.kind === 'string') {
    literals.push(lexer.next().text);
  }
  if (literals.length === 0) {
    throw new TokenError('expected a string in quotes', first);
  }
  try {
    return decodeStringLiterals(literals);
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new TokenError(error.message, first);
    }
    throw error;
  }
}

function readBool(lexer: Lexer): boolean {
  const { current } = lexer;
  const number = current.kind === 'integer' ? parseInteger(current.text) : undefined;
  const isTrue = number === 1n || (current.kind === 'identifier' && TRUE_WORDS.includes(current.text));
  const isFalse = number === 0n || (current.kind === 'identifier' && FALSE_WORDS.includes(current.text));
  if (!isTrue && !isFalse) {
    throw new TokenError('expected true or false', current, ['true', 'false']);
  }
  lexer.next();
  return isTrue;
}

function readInteger(lexer: Lexer, kind: keyof typeof INTEGER_RANGES): bigint {
  const { min, max } = INTEGER_RANGES[kind];
  const negative = min < 0n && takeMinus(lexer);
  const { current } = lexer;
  if (current.kind !== 'integer') {
    throw new TokenError(`expected an integer${min < 0n ? '' : ' of at least 0'}`, current);
  }
  const magnitude = parseInteger(current.text);
  const value = negative && magnitude !== undefined ? -magnitude : magnitude;
  if (value === undefined || value < min || value > max) {
    throw new TokenError(`expected an integer from ${min} to ${max}`, current);
  }
  lexer.next();
  return value;
}

function readFloat(lexer: Lexer): number {
  const sign = takeMinus(lexer) ? -1 : 1;
  const { current } = lexer;
  const word = current.kind === 'identifier' ? current.text.toLowerCase() : '';
  const isDecimal = current.kind === 'float' || (current.kind === 'integer' && !/^0./.test(current.text));
  let magnitude: number;
  if (isDecimal) {
    magnitude = Number(current.text.replace(/f$/i, ''));
  } else if (word === 'inf' || word === 'infinity') {
    magnitude = Number.POSITIVE_INFINITY;
  } else if (word === 'nan') {
    magnitude = Number.NaN;
  } else {
    throw new TokenError('expected a decimal number', current);
  }
  lexer.next();
  return sign * magnitude;
}

function isMinus({ current }: Lexer): boolean {
  return current.kind === 'symbol' && current.text === '-';
}

function takeMinus(lexer: Lexer): boolean {
  const negative = isMinus(lexer);
  if (negative) {
    lexer.next();
  }
  return negative;
}

/** Value of an integer token: decimal, `0x` hexadecimal, or octal after a leading 0. Undefined beyond any range. */
function parseInteger(text: string): bigint | undefined {
  const [, prefix = '', digits = ''] = /^(0[xX]|0(?=\d)|)0*(.*)$/.exec(text) ?? [];
  if (digits.length > MAX_INTEGER_DIGITS) {
    return undefined;
  }
  return BigInt(`${prefix === '0' ? '0o' : prefix}${digits === '' ? '0' : digits}`);
}
