import type { Datatype } from '../../tensor/datatype.ts';
import {
  bfloat16FromNumber,
  float16FromNumber,
  numberFromBfloat16,
  numberFromFloat16,
} from '../../tensor/float16.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import { parseShortDecimal } from './short-decimal.ts';

/** A value that its input cannot take; the message says what was expected and found. */
export class ValueError extends Error {}

/** Writes one value into the data of a tensor. @throws {ValueError} */
export type ElementWriter = (data: Tensor['data'], index: number, value: unknown) => void;

interface IntegerRange {
  readonly min: number;
  readonly max: number;
}

const INTEGERS: Partial<Record<Datatype, IntegerRange>> = {
  UINT8: { min: 0, max: 0xff },
  UINT16: { min: 0, max: 0xffff },
  UINT32: { min: 0, max: 0xffffffff },
  INT8: { min: -0x80, max: 0x7f },
  INT16: { min: -0x8000, max: 0x7fff },
  INT32: { min: -0x80000000, max: 0x7fffffff },
};

const LONG_INTEGERS: Partial<Record<Datatype, { readonly min: bigint; readonly max: bigint }>> = {
  INT64: { min: -(2n ** 63n), max: 2n ** 63n - 1n },
  UINT64: { min: 0n, max: 2n ** 64n - 1n },
};

/** Doubles from here on are infinite in FP32. */
const FP32_OVERFLOW = 3.4028235677973366e38;

/**
 * The writer for values of a datatype: texts of CSV cells, and values of JSON.
 * @param fromText true: every value is the text of a cell; false: strings are for BYTES inputs alone.
 * @param allowNonFinite NaN and infinities are values of floats.
 */
export function createElementWriter(
  datatype: Datatype,
  fromText: boolean,
  allowNonFinite: boolean,
): ElementWriter {
  const toNumber = fromText
    ? (value: unknown) => numberFromText(value, allowNonFinite)
    : (value: unknown) => numberFromJson(value, allowNonFinite);
  switch (datatype) {
    case 'BYTES':
      return (data, index, value) => assign(data, index, bytesOf(value));
    case 'BOOL':
      return (data, index, value) => assign(data, index, boolOf(value) ? 1 : 0);
    case 'INT64':
    case 'UINT64':
      return (data, index, value) => assign(data, index, longIntegerOf(value, datatype, fromText));
    case 'FP32':
      return (data, index, value) => {
        const number = toNumber(value);
        if ((number >= FP32_OVERFLOW || number <= -FP32_OVERFLOW) && Number.isFinite(number)) {
          throw new ValueError(`${number} is too large for FP32`);
        }
        (data as Float32Array)[index] = number;
      };
    case 'FP64':
      return (data, index, value) => {
        (data as Float64Array)[index] = toNumber(value);
      };
    case 'FP16':
    case 'BF16':
      return (data, index, value) => assign(data, index, narrowFloatBits(toNumber(value), datatype));
    default:
      return (data, index, value) => assign(data, index, integerOf(toNumber(value), datatype));
  }
}

/** The storage of a tensor is that of its datatype, which chose the writer. */
function assign(data: Tensor['data'], index: number, value: number | bigint | Uint8Array): void {
  (data as (typeof value)[])[index] = value;
}

/**
 * The number that a CSV cell is. Spaces around it are passed over; nothing at all, hexadecimal and the like are refused,
 * though JavaScript would read them.
 */
function numberFromText(value: unknown, allowNonFinite: boolean): number {
  const text = typeof value === 'string' ? value : String(value);
  const number = parseShortDecimal(text);
  return Number.isNaN(number) ? unusualNumber(text, allowNonFinite) : number;
}

function unusualNumber(text: string, allowNonFinite: boolean): number {
  const trimmed = text.trim();
  if (trimmed === '') {
    throw new ValueError('expected a number, got an empty field');
  }
  if (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(trimmed)) {
    const number = Number(trimmed);
    if (Number.isFinite(number)) {
      return number;
    }
    throw new ValueError(`${quote(trimmed)} is too large for a number`);
  }
  const [, sign, word] = /^([+-]?)(nan|inf|infinity)$/i.exec(trimmed) ?? [];
  if (word === undefined) {
    throw new ValueError(`expected a number, got ${quote(trimmed)}`);
  }
  if (!allowNonFinite) {
    throw new ValueError(`expected a finite number, got ${quote(trimmed)} (--allow-non-finite takes it)`);
  }
  if (word.toLowerCase() === 'nan') {
    return Number.NaN;
  }
  return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** JSON has no NaN: where non-finite numbers are allowed they are strings, as in the results. */
function numberFromJson(value: unknown, allowNonFinite: boolean): number {
  if (typeof value === 'number') {
    return value;
  }
  if (typeof value === 'bigint') {
    return Number(value);
  }
  if (allowNonFinite && typeof value === 'string' && /^([+-]?)(nan|inf|infinity)$/i.test(value)) {
    return unusualNumber(value, allowNonFinite);
  }
  throw new ValueError(`expected a number, got ${describeValue(value)}`);
}

function integerOf(number: number, datatype: Datatype): number {
  const range = INTEGERS[datatype];
  if (!Number.isInteger(number)) {
    throw new ValueError(`expected an integer for ${datatype}, got ${number}`);
  }
  if (range === undefined || number < range.min || number > range.max) {
    throw new ValueError(`${number} is out of the range of ${datatype}, ${range?.min} to ${range?.max}`);
  }
  return number;
}

function longIntegerOf(value: unknown, datatype: 'INT64' | 'UINT64', fromText: boolean): bigint {
  const integer = fromText ? longIntegerFromText(String(value).trim()) : longIntegerFromJson(value);
  const range = LONG_INTEGERS[datatype];
  if (range === undefined || integer < range.min || integer > range.max) {
    throw new ValueError(`${integer} is out of the range of ${datatype}`);
  }
  return integer;
}

function longIntegerFromText(text: string): bigint {
  // `4.0`, as tools write whole numbers of a column with gaps, without the detour over a double.
  const digits = /^\+?(-?\d+)(?:\.0*)?$/.exec(text)?.[1];
  if (digits !== undefined) {
    return BigInt(digits);
  }
  return longIntegerFromJson(unusualNumber(text, false));
}

function longIntegerFromJson(value: unknown): bigint {
  if (typeof value === 'bigint') {
    return value;
  }
  const number = numberFromJson(value, false);
  if (!Number.isInteger(number)) {
    throw new ValueError(`expected an integer, got ${number}`);
  }
  return BigInt(number);
}

function narrowFloatBits(number: number, datatype: 'FP16' | 'BF16'): number {
  const bits = datatype === 'FP16' ? float16FromNumber(number) : bfloat16FromNumber(number);
  const held = datatype === 'FP16' ? numberFromFloat16(bits) : numberFromBfloat16(bits);
  if (Number.isFinite(number) && !Number.isFinite(held)) {
    throw new ValueError(`${number} is too large for ${datatype}`);
  }
  return bits;
}

function boolOf(value: unknown): boolean {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (text === true || text === 'true' || text === '1' || text === 1) {
    return true;
  }
  if (text === false || text === 'false' || text === '0' || text === 0) {
    return false;
  }
  throw new ValueError(`expected true, false, 1 or 0, got ${describeValue(value)}`);
}

function bytesOf(value: unknown): Uint8Array {
  if (typeof value !== 'string') {
    throw new ValueError(`expected text, got ${describeValue(value)}`);
  }
  return Buffer.from(value);
}

function describeValue(value: unknown): string {
  if (value === undefined) {
    return 'nothing';
  }
  if (typeof value === 'string') {
    return quote(value);
  }
  return value === null || typeof value !== 'object'
    ? String(value)
    : Array.isArray(value)
      ? 'an array'
      : 'an object';
}

const MAX_QUOTED = 40;

function quote(text: string): string {
  return text.length > MAX_QUOTED ? `'${text.slice(0, MAX_QUOTED)}...'` : `'${text}'`;
}
