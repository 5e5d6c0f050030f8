/**
 * Numbers as JSON texts that lose nothing: the fewest decimal digits that read back as the same value of the same
 * datatype, in JavaScript's notation. NaN and infinities, which JSON lacks, are strings, as in protobuf's JSON mapping.
 * @see https://protobuf.dev/programming-guides/json/
 */
import { bfloat16FromNumber, float16FromNumber, numberFromBfloat16, numberFromFloat16 } from './float16.ts';
import { searchShortestText } from './search-digits.ts';
import { MAX_FLOAT32_TEXT_BYTES, writeFloat32 } from './write-float32.ts';

/** As many digits tell any two values apart. */
const MAX_FLOAT16_DIGITS = 5;
const MAX_BFLOAT16_DIGITS = 4;

/** Numbers that are turned into one string at a time: enough to make that cheap, and never a large buffer. */
const FLOATS_PER_CHUNK = 256;

const COMMA = 0x2c;

const scratch = Buffer.alloc(FLOATS_PER_CHUNK * (MAX_FLOAT32_TEXT_BYTES + 1));

/** Shortest JSON text of a double. */
export function formatFloat64(value: number): string {
  if (!Number.isFinite(value)) {
    return formatNonFinite(value);
  }
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Shortest JSON text of a value that FP32 holds exactly. */
export function formatFloat32(value: number): string {
  return Number.isFinite(value)
    ? scratch.toString('latin1', 0, writeFloat32(scratch, 0, value))
    : formatNonFinite(value);
}

/** JSON texts of the elements `[start, end)`, with commas between them. */
export function formatFloat32Elements(data: Float32Array, start: number, end: number): string {
  let text = '';
  for (let chunk = start; chunk < end; chunk += FLOATS_PER_CHUNK) {
    text += formatChunk(data, chunk, Math.min(end, chunk + FLOATS_PER_CHUNK), chunk > start);
  }
  return text;
}

function formatChunk(data: Float32Array, start: number, end: number, leadingComma: boolean): string {
  let length = 0;
  for (let index = start; index < end; index += 1) {
    if (index > start || leadingComma) {
      scratch[length] = COMMA;
      length += 1;
    }
    const value = data[index] ?? 0;
    length = Number.isFinite(value)
      ? writeFloat32(scratch, length, value)
      : length + scratch.write(formatNonFinite(value), length, 'latin1');
  }
  return scratch.toString('latin1', 0, length);
}

/** Shortest JSON text of half precision bits. */
export const formatFloat16 = createNarrowFormat(numberFromFloat16, float16FromNumber, MAX_FLOAT16_DIGITS);

/** Shortest JSON text of brain float bits. */
export const formatBfloat16 = createNarrowFormat(numberFromBfloat16, bfloat16FromNumber, MAX_BFLOAT16_DIGITS);

/** Each of the 65,536 texts is searched once and kept. */
function createNarrowFormat(
  decode: (bits: number) => number,
  encode: (value: number) => number,
  maxDigits: number,
): (bits: number) => string {
  const texts: string[] = [];
  const round = (value: number): number => decode(encode(value));
  return (bits) => {
    const known = texts[bits];
    if (known !== undefined) {
      return known;
    }
    const value = decode(bits);
    const text =
      value === 0 || !Number.isFinite(value)
        ? formatFloat64(value)
        : searchShortestText(value, maxDigits, round);
    texts[bits] = text;
    return text;
  };
}

function formatNonFinite(value: number): string {
  if (Number.isNaN(value)) {
    return '"NaN"';
  }
  return value > 0 ? '"Infinity"' : '"-Infinity"';
}
