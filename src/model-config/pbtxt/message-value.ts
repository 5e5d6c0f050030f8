import { invariant } from '../../base/invariant.ts';
import type { FieldDescriptor, ValueDescriptor } from '../descriptor.ts';

/** A message as its text says it: fields by name, absent when they have their proto3 default. */
export interface MessageValue {
  [field: string]: FieldValue;
}

/** Enum values are their name, or their number where they have none. */
export type ScalarValue = number | bigint | boolean | string;
export type SingleValue = ScalarValue | MessageValue;
export type FieldValue = SingleValue | SingleValue[] | Map<ScalarValue, SingleValue>;

/** The value of an absent field; a message has none that others could equal, so that it always counts as given. */
function defaultValue(descriptor: ValueDescriptor): SingleValue {
  switch (descriptor.kind) {
    case 'message':
      return {};
    case 'enum':
      return nameEnumValue(descriptor.numbers, 0);
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

/** The name of an enum's number, or the number itself: proto3 keeps those that it does not know. */
export function nameEnumValue(numbers: ReadonlyMap<string, number>, number: number): string | number {
  for (const [name, value] of numbers) {
    if (value === number) {
      return name;
    }
  }
  return number;
}

/**
 * Adds one value to what `message` holds of the field; for a map it is an entry, of which the last with a key counts.
 * A default is left out, but in a oneof it counts as given.
 */
export function storeValue(message: MessageValue, field: FieldDescriptor, value: SingleValue): void {
  const held = message[field.name];
  if (field.cardinality === 'map') {
    const map = held instanceof Map ? held : new Map<ScalarValue, SingleValue>();
    invariant(isMessageValue(value), 'a map entry is a message');
    const entryKey = value.key ?? defaultValue(field.key);
    const entryValue = value.value ?? defaultValue(field.value);
    invariant(isScalarValue(entryKey) && isSingleValue(entryValue), 'key and value of a map are single');
    map.set(entryKey, entryValue);
    message[field.name] = map;
  } else if (field.cardinality === 'list') {
    const list = Array.isArray(held) ? held : [];
    list.push(value);
    message[field.name] = list;
  } else if (field.oneof !== undefined || !Object.is(value, defaultValue(field.value))) {
    message[field.name] = value;
  }
}

export function isMessageValue(value: FieldValue): value is MessageValue {
  return isSingleValue(value) && !isScalarValue(value);
}

function isScalarValue(value: FieldValue): value is ScalarValue {
  return typeof value !== 'object';
}

function isSingleValue(value: FieldValue): value is SingleValue {
  return !Array.isArray(value) && !(value instanceof Map);
}
