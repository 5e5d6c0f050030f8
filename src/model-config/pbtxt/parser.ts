/**
 * A parser of protobuf's text format that is driven by a message descriptor. It accepts, refuses and reads as C++
 * TextFormat does with its default settings, which is what Triton uses for config.pbtxt.
 * @see https://github.com/protocolbuffers/protobuf/blob/main/src/google/protobuf/text_format.cc (ParserImpl)
 */
import type { FieldDescriptor, MessageDescriptor, ValueDescriptor } from '../descriptor.ts';
import { Lexer, type Token } from './lexer.ts';
import { type MessageValue, type SingleValue, storeValue } from './message-value.ts';
import { readEnum, readScalar } from './scalar.ts';
import { createSyntaxError, formatPosition, TokenError } from './syntax-error.ts';

/**
 * @param fileName as messages shall name it.
 * @throws {MillraceError} CONFIG_SYNTAX with file, line:column, field path, token and, for near misses, a hint.
 */
export function parseTextFormat(text: string, descriptor: MessageDescriptor, fileName: string): MessageValue {
  const parser = new Parser(text);
  try {
    return parser.parse(descriptor);
  } catch (error) {
    if (error instanceof TokenError) {
      throw createSyntaxError(error, fileName, parser.path);
    }
    throw error;
  }
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['{', '}'],
  ['<', '>'],
]);

/** Where each field of one message was last given. */
type GivenFields = Map<FieldDescriptor, Token>;

/** The depth of its recursion is that of the descriptor, whatever the text. */
class Parser {
  readonly #lexer: Lexer;
  readonly #path: string[] = [];

  constructor(text: string) {
    this.#lexer = new Lexer(text);
  }

  /** The field being read: `input[0].data_type`. */
  get path(): string {
    return this.#path.join('.');
  }

  parse(descriptor: MessageDescriptor): MessageValue {
    const message: MessageValue = {};
    const given: GivenFields = new Map();
    while (this.#lexer.current.kind !== 'end') {
      this.#parseField(descriptor, message, given);
    }
    return message;
  }

  /** A message in brackets. */
  #parseMessage(descriptor: MessageDescriptor): MessageValue {
    const opening = this.#lexer.current;
    const closing = opening.kind === 'symbol' ? CLOSING.get(opening.text) : undefined;
    if (closing === undefined) {
      throw new TokenError(`expected '{' and the fields of ${descriptor.name}`, opening);
    }
    this.#lexer.next();
    const message: MessageValue = {};
    const given: GivenFields = new Map();
    while (!this.#takeSymbol(closing)) {
      const { current } = this.#lexer;
      if (current.kind === 'end' || isSymbol(current, '}') || isSymbol(current, '>')) {
        const where = formatPosition(opening.position);
        throw new TokenError(`expected '${closing}' for the '${opening.text}' opened at ${where}`, current);
      }
      this.#parseField(descriptor, message, given);
    }
    return message;
  }

  #parseField(descriptor: MessageDescriptor, message: MessageValue, given: GivenFields): void {
    const name = this.#lexer.current;
    const field = descriptor.fields.get(name.text);
    if (name.kind !== 'identifier' || field === undefined) {
      throw new TokenError(`expected a field of ${descriptor.name}`, name, [...descriptor.fields.keys()]);
    }
    this.#path.push(field.name);
    checkRepetition(field, name, message, given);
    given.set(field, this.#lexer.next());
    const isMessage = field.cardinality === 'map' || field.value.kind === 'message';
    if (!this.#takeSymbol(':') && !isMessage) {
      throw new TokenError(`expected ':' after '${field.name}'`, this.#lexer.current);
    }
    if (field.cardinality !== 'single' && isSymbol(this.#lexer.current, '[')) {
      this.#parseList(field, message);
    } else {
      this.#parseElement(field, message);
    }
    if (!this.#takeSymbol(',')) {
      this.#takeSymbol(';');
    }
    this.#path.pop();
  }

  #parseList(field: FieldDescriptor, message: MessageValue): void {
    const opening = this.#lexer.next();
    if (this.#takeSymbol(']')) {
      return;
    }
    do {
      this.#parseElement(field, message);
      if (this.#takeSymbol(']')) {
        return;
      }
    } while (this.#takeSymbol(','));
    throw new TokenError(
      `expected ',' or ']' in the list opened at ${formatPosition(opening.position)}`,
      this.#lexer.current,
    );
  }

  #parseElement(field: FieldDescriptor, message: MessageValue): void {
    if (field.cardinality !== 'single') {
      this.#path.splice(-1, 1, `${field.name}[${countElements(field, message)}]`);
    }
    const value =
      field.cardinality === 'map' ? this.#parseMessage(field.entry) : this.#parseValue(field.value);
    storeValue(message, field, value);
  }

  #parseValue(value: ValueDescriptor): SingleValue {
    switch (value.kind) {
      case 'message':
        return this.#parseMessage(value.message);
      case 'enum':
        return readEnum(this.#lexer, value);
      default:
        return readScalar(this.#lexer, value.kind);
    }
  }

  #takeSymbol(text: string): boolean {
    const found = isSymbol(this.#lexer.current, text);
    if (found) {
      this.#lexer.next();
    }
    return found;
  }
}

/** As in C++, a field that was set to its default does not count as given, but one in a oneof does. */
function checkRepetition(
  field: FieldDescriptor,
  name: Token,
  message: MessageValue,
  given: GivenFields,
): void {
  if (field.cardinality !== 'single') {
    return;
  }
  for (const [other, token] of given) {
    const where = formatPosition(token.position);
    if (other === field && message[field.name] !== undefined) {
      throw new TokenError(`expected no second '${field.name}' (the first is at ${where})`, name);
    }
    if (other !== field && other.oneof !== undefined && other.oneof === field.oneof) {
      throw new TokenError(`expected no '${field.name}' beside the '${other.name}' at ${where}`, name);
    }
  }
}

function countElements(field: FieldDescriptor, message: MessageValue): number {
  const held = message[field.name];
  if (held instanceof Map) {
    return held.size;
  }
  return Array.isArray(held) ? held.length : 0;
}

function isSymbol(token: Token, text: string): boolean {
  return token.kind === 'symbol' && token.text === text;
}
