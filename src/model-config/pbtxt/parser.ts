/**
 * A parser of protobuf's text format that is driven by a message descriptor. It accepts, refuses and reads as C++
 * TextFormat does with its default settings, which is what Triton uses for config.pbtxt.
 * @see https://github.com/protocolbuffers/protobuf/blob/main/src/google/protobuf/text_format.cc (ParserImpl)
 */
import { MillraceError } from '../../base/errors.ts';
import type { FieldDescriptor, MessageDescriptor, ScalarKind, ValueDescriptor } from '../descriptor.ts';
import { hintForToken } from './hints.ts';
import { Lexer, LexerError, type Position, type Token } from './lexer.ts';
import { readInteger, readScalar, ScalarError, type ScalarValue } from './scalar.ts';

/** A parsed message: fields by name, absent when they have their proto3 default. */
export interface MessageValue {
  [field: string]: FieldValue;
}

export type SingleValue = ScalarValue | MessageValue;
export type FieldValue = SingleValue | SingleValue[] | Map<ScalarValue, SingleValue>;

/**
 * @param fileName as messages shall name it.
 * @throws {MillraceError} CONFIG_SYNTAX with file, line:column, field path, token and, for near misses, a hint.
 */
export function parseTextFormat(text: string, descriptor: MessageDescriptor, fileName: string): MessageValue {
  return new Parser(fileName).parse(text, descriptor);
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '<': '>' };

class Parser {
  readonly #fileName: string;
  #path = '';

  constructor(fileName: string) {
    this.#fileName = fileName;
  }

  parse(text: string, descriptor: MessageDescriptor): MessageValue {
    try {
      return this.#parseFields(new Lexer(text), descriptor, undefined);
    } catch (error) {
      if (error instanceof LexerError) {
        throw this.#fail(error.message, error.token, error.position);
      }
      if (error instanceof ScalarError) {
        throw this.#fail(error.message, error.token.text, error.token.position);
      }
      throw error;
    }
  }

  /** Fields up to the bracket that closes `opening`, or to the end of the file at the outermost level. */
  #parseFields(lexer: Lexer, descriptor: MessageDescriptor, opening: Token | undefined): MessageValue {
    const message: MessageValue = {};
    const seen = new Map<string, { readonly field: FieldDescriptor; readonly position: Position }>();
    const closing = opening === undefined ? undefined : CLOSING[opening.text];
    while (lexer.current.kind !== 'end' || closing !== undefined) {
      if (closing !== undefined && isSymbol(lexer.current, closing)) {
        lexer.next();
        return message;
      }
      if (lexer.current.kind === 'end' && opening !== undefined) {
        const { line, column } = opening.position;
        throw this.#failAt(
          lexer.current,
          `expected '${closing}' for the '${opening.text}' opened at ${line}:${column}`,
        );
      }
      this.#parseField(lexer, descriptor, message, seen);
    }
    return message;
  }

  #parseField(
    lexer: Lexer,
    descriptor: MessageDescriptor,
    message: MessageValue,
    seen: Map<string, { readonly field: FieldDescriptor; readonly position: Position }>,
  ): void {
    const name = lexer.current;
    if (name.kind !== 'identifier') {
      throw this.#failAt(name, `expected a field of ${descriptor.name}`);
    }
    const field = descriptor.fields.get(name.text);
    if (field === undefined) {
      throw this.#failAt(name, `${descriptor.name} has no field '${name.text}'`, [
        ...descriptor.fields.keys(),
      ]);
    }
    lexer.next();
    const outerPath = this.#path;
    this.#path = joinPath(outerPath, field, message);
    this.#checkRepetition(field, name, message, seen);
    seen.set(field.name, { field, position: name.position });
    const hasColon = isSymbol(lexer.current, ':');
    if (hasColon) {
      lexer.next();
    }
    if (!hasColon && field.value.kind !== 'message' && field.mapKey === undefined) {
      throw this.#failAt(lexer.current, `expected ':' after '${name.text}'`);
    }
    this.#parseValues(lexer, field, message);
    if (isSymbol(lexer.current, ',') || isSymbol(lexer.current, ';')) {
      lexer.next();
    }
    this.#path = outerPath;
  }

  /** As in C++, a scalar that was set to its default does not count as set, but one in a oneof does. */
  #checkRepetition(
    field: FieldDescriptor,
    name: Token,
    message: MessageValue,
    seen: Map<string, { readonly field: FieldDescriptor; readonly position: Position }>,
  ): void {
    if (!field.repeated && field.mapKey === undefined && message[field.name] !== undefined) {
      const first = seen.get(field.name)?.position;
      throw this.#failAt(name, `'${field.name}' is given twice, first at ${first?.line}:${first?.column}`);
    }
    if (field.oneof !== undefined) {
      for (const other of seen.values()) {
        if (other.field !== field && other.field.oneof === field.oneof) {
          const { line, column } = other.position;
          throw this.#failAt(
            name,
            `'${field.name}' excludes '${other.field.name}', which is given at ${line}:${column}`,
          );
        }
      }
    }
  }

  #parseValues(lexer: Lexer, field: FieldDescriptor, message: MessageValue): void {
    if (!isSymbol(lexer.current, '[') || (!field.repeated && field.mapKey === undefined)) {
      this.#store(field, message, this.#parseValue(lexer, field));
      return;
    }
    const opening = lexer.next();
    const outerPath = this.#path;
    if (isSymbol(lexer.current, ']')) {
      lexer.next();
      return;
    }
    for (;;) {
      this.#store(field, message, this.#parseValue(lexer, field));
      if (isSymbol(lexer.current, ']')) {
        lexer.next();
        return;
      }
      if (!isSymbol(lexer.current, ',')) {
        const { line, column } = opening.position;
        throw this.#failAt(lexer.current, `expected ',' or ']' in the list opened at ${line}:${column}`);
      }
      lexer.next();
      this.#path = joinPath(outerPath.replace(/(?:^|\.)[^.]*$/, ''), field, message);
    }
  }

  #parseValue(lexer: Lexer, field: FieldDescriptor): { key?: ScalarValue; value: SingleValue } {
    if (field.mapKey !== undefined) {
      return this.#parseMapEntry(lexer, field.mapKey, field.value);
    }
    return { value: this.#parseSingle(lexer, field.value) };
  }

  #parseSingle(lexer: Lexer, value: ValueDescriptor): SingleValue {
    if (value.kind === 'message') {
      return this.#parseFields(lexer, value.message, this.#takeOpening(lexer, value.message.name));
    }
    return value.kind === 'enum' ? this.#parseEnum(lexer, value.numbers) : readScalar(lexer, value.kind);
  }

  #takeOpening(lexer: Lexer, messageName: string): Token {
    if (lexer.current.kind !== 'symbol' || CLOSING[lexer.current.text] === undefined) {
      throw this.#failAt(lexer.current, `expected '{' with the fields of ${messageName}`);
    }
    return lexer.next();
  }

  #parseMapEntry(
    lexer: Lexer,
    mapKey: ScalarKind,
    value: ValueDescriptor,
  ): { key: ScalarValue; value: SingleValue } {
    const entry: MessageDescriptor = {
      name: 'the map entry',
      fields: new Map([
        [
          'key',
          {
            name: 'key',
            number: 1,
            value: { kind: mapKey },
            repeated: false,
            mapKey: undefined,
            oneof: undefined,
          },
        ],
        ['value', { name: 'value', number: 2, value, repeated: false, mapKey: undefined, oneof: undefined }],
      ]),
    };
    const fields = this.#parseFields(lexer, entry, this.#takeOpening(lexer, 'a map entry: key and value'));
    return {
      // `entry` has only single fields, a scalar and a single value.
      key: (fields.key ?? defaultValue({ kind: mapKey })) as ScalarValue,
      value: (fields.value ?? defaultValue(value)) as SingleValue,
    };
  }

  #parseEnum(lexer: Lexer, numbers: ReadonlyMap<string, number>): string | number {
    const { current } = lexer;
    if (current.kind === 'identifier') {
      if (!numbers.has(current.text)) {
        throw this.#failAt(current, `'${current.text}' is no value of this field`, [...numbers.keys()]);
      }
      lexer.next();
      return current.text;
    }
    if (current.kind !== 'integer' && !isSymbol(current, '-')) {
      throw this.#failAt(current, 'expected the name or number of an enum value', [...numbers.keys()]);
    }
    const number = Number(readInteger(lexer, 'int32'));
    const named = [...numbers].find(([, value]) => value === number);
    return named === undefined ? number : named[0];
  }

  #store(
    field: FieldDescriptor,
    message: MessageValue,
    { key, value }: { key?: ScalarValue; value: SingleValue },
  ): void {
    const held = message[field.name];
    if (key !== undefined) {
      const map = held instanceof Map ? held : new Map<ScalarValue, SingleValue>();
      map.set(key, value);
      message[field.name] = map;
    } else if (field.repeated) {
      const list = Array.isArray(held) ? held : [];
      list.push(value);
      message[field.name] = list;
    } else if (field.oneof !== undefined || value !== defaultValue(field.value)) {
      message[field.name] = value;
    }
  }

  #failAt(token: Token, problem: string, candidates: readonly string[] = []): MillraceError {
    return this.#fail(
      problem,
      token.kind === 'end' ? 'the end of the file' : token.text,
      token.position,
      candidates,
    );
  }

  #fail(
    problem: string,
    token: string,
    position: Position,
    candidates: readonly string[] = [],
  ): MillraceError {
    const { line, column } = position;
    const where = `${this.#fileName}:${line}:${column}`;
    const field = this.#path === '' ? '' : ` in '${this.#path}'`;
    const found = token === 'the end of the file' ? token : `'${token}'`;
    const hint = hintForToken(token, candidates);
    return new MillraceError(
      'CONFIG_SYNTAX',
      `${where}${field}: ${problem}, got ${found}${hint === '' ? '' : `. ${hint}`}`,
      {
        details: { file: this.#fileName, line, column, field: this.#path, token },
      },
    );
  }
}

/** The proto3 default; a message has none that could be compared, so that it always counts as set. */
function defaultValue(value: ValueDescriptor): SingleValue {
  switch (value.kind) {
    case 'message':
      return {};
    case 'enum':
      return [...value.numbers].find(([, number]) => number === 0)?.[0] ?? 0;
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'int64':
    case 'uint64':
      return 0n;
    default:
      return 0;
  }
}

function isSymbol(token: Token, text: string): boolean {
  return token.kind === 'symbol' && token.text === text;
}

function joinPath(path: string, field: FieldDescriptor, message: MessageValue): string {
  const held = message[field.name];
  const index = field.repeated ? `[${Array.isArray(held) ? held.length : 0}]` : '';
  return `${path}${path === '' ? '' : '.'}${field.name}${index}`;
}
