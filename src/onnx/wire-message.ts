import { MillraceError } from '../base/errors.ts';
import type { ByteFile } from './byte-file.ts';

/**
 * Protobuf's wire format read in place from a file. The libraries for it want the message in memory, and give the
 * weights along with it; a model file has up to 2 GB, of which the structure is a few kilobytes.
 * @see https://protobuf.dev/programming-guides/encoding/
 */

/** One field of a message; the payload of `bytes` lies in the file from `start` to `end`. */
export type WireField =
  | { readonly number: number; readonly kind: 'varint'; readonly value: number }
  | { readonly number: number; readonly kind: 'bytes'; readonly start: number; readonly end: number }
  | { readonly number: number; readonly kind: 'fixed' };

type BytesField = Extract<WireField, { kind: 'bytes' }>;

/** Protobuf's own limit for messages inside messages, which ONNX Runtime keeps to as well. */
const MAX_DEPTH = 100;
const MAX_TEXT_BYTES = 1 << 16;

/** A message, which is a range of the file. */
export class WireMessage {
  readonly #file: ByteFile;
  readonly #end: number;
  readonly #depth: number;
  #position: number;

  private constructor(file: ByteFile, start: number, end: number, depth: number) {
    this.#file = file;
    this.#position = start;
    this.#end = end;
    this.#depth = depth;
  }

  /** The message that fills the whole file. */
  static ofFile(file: ByteFile): WireMessage {
    return new WireMessage(file, 0, file.size, 0);
  }

  /**
   * The fields in the order of the file. They can be gone through once.
   * @throws {MillraceError} MODEL_FILE_INVALID where the bytes are no protobuf, or end too early.
   */
  *fields(): Generator<WireField> {
    while (this.#position < this.#end) {
      const start = this.#position;
      const tag = this.#readVarint();
      const number = Math.floor(tag / 8);
      if (number < 1) {
        throw this.#fault(start, `has no field ${number}`);
      }
      yield this.#readField(start, number, tag % 8);
    }
  }

  /** The message inside a field. */
  message({ start, end }: BytesField): WireMessage {
    if (this.#depth === MAX_DEPTH) {
      throw this.#fault(start, `has messages nested deeper than ${MAX_DEPTH}`);
    }
    return new WireMessage(this.#file, start, end, this.#depth + 1);
  }

  /** The text of a field; names and the like, so it has a limit. */
  text({ start, end }: BytesField): string {
    if (end - start > MAX_TEXT_BYTES) {
      throw this.#fault(start, `has a name of ${end - start} bytes, expected at most ${MAX_TEXT_BYTES}`);
    }
    return this.#file.bytes(start, end).toString('utf8');
  }

  /** The one byte of a field that has no more. */
  byte({ start }: BytesField): number {
    return this.#file.byteAt(start);
  }

  /** The numbers of a field that is repeated: one, or any number when it is packed; at most `limit` are read. */
  numbers(field: WireField, limit: number): number[] {
    if (field.kind === 'varint') {
      return [field.value];
    }
    const values: number[] = [];
    if (field.kind === 'bytes') {
      const packed = new WireMessage(this.#file, field.start, field.end, this.#depth);
      while (packed.#position < packed.#end && values.length < limit) {
        values.push(packed.#readVarint());
      }
    }
    return values;
  }

  #readField(start: number, number: number, wireType: number): WireField {
    switch (wireType) {
      case 0:
        return { number, kind: 'varint', value: this.#readVarint() };
      case 1:
        this.#skip(start, 8);
        return { number, kind: 'fixed' };
      case 2: {
        const length = this.#readVarint();
        const from = this.#position;
        this.#skip(start, length);
        return { number, kind: 'bytes', start: from, end: this.#position };
      }
      case 5:
        this.#skip(start, 4);
        return { number, kind: 'fixed' };
      default:
        throw this.#fault(start, `has field ${number} of wire type ${wireType}, which ONNX does not use`);
    }
  }

  #skip(fieldStart: number, length: number): void {
    const left = this.#end - this.#position;
    if (length < 0 || length > left) {
      throw this.#fault(
        fieldStart,
        `announces ${length} bytes where ${left} are left: the file is cut short or is not ONNX`,
      );
    }
    this.#position += length;
  }

  /** A signed number of up to 64 bits; beyond 2^53 the nearest one that a double holds. */
  #readVarint(): number {
    const start = this.#position;
    let value = 0;
    for (let index = 0; index < 7; index += 1) {
      const byte = this.#readByte(start);
      value += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) {
        return value;
      }
    }
    let wide = BigInt(value);
    for (let index = 7; index < 10; index += 1) {
      const byte = this.#readByte(start);
      wide |= BigInt(byte & 0x7f) << BigInt(7 * index);
      if (byte < 0x80) {
        return Number(BigInt.asIntN(64, wide));
      }
    }
    throw this.#fault(start, 'has a number of more than 10 bytes');
  }

  #readByte(numberStart: number): number {
    if (this.#position >= this.#end) {
      throw this.#fault(numberStart, 'ends inside a number: the file is cut short or is not ONNX');
    }
    const byte = this.#file.byteAt(this.#position);
    this.#position += 1;
    return byte;
  }

  #fault(position: number, problem: string): MillraceError {
    return new MillraceError(
      'MODEL_FILE_INVALID',
      `model file '${this.#file.path}' (${this.#file.size} bytes) is not a valid ONNX model: at byte ${position} it ${problem}`,
      { details: { model_file: this.#file.path, position } },
    );
  }
}
