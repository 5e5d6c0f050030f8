import { formatFloat32 } from '../../tensor/format-number.ts';
import type { MessageDescriptor, ValueDescriptor } from '../descriptor.ts';
import { isMessageValue, type MessageValue, type SingleValue } from './message-value.ts';
import { encodeStringLiteral } from './string-literal.ts';

/**
 * A message as text format that reads back as the same message: fields in the order of the descriptor, lists of numbers
 * on one line, everything else on a line of its own.
 */
export function printTextFormat(message: MessageValue, descriptor: MessageDescriptor): string {
  return printFields(message, descriptor, '');
}

function printFields(message: MessageValue, descriptor: MessageDescriptor, indent: string): string {
  let text = '';
  for (const field of descriptor.fields.values()) {
    const value = message[field.name];
    if (value === undefined) {
      continue;
    }
    if (value instanceof Map) {
      const entry: ValueDescriptor =
        field.cardinality === 'map' ? { kind: 'message', message: field.entry } : field.value;
      for (const [key, entryValue] of value) {
        text += printField(field.name, entry, { key, value: entryValue }, indent);
      }
    } else if (Array.isArray(value)) {
      text += printList(field.name, field.value, value, indent);
    } else {
      text += printField(field.name, field.value, value, indent);
    }
  }
  return text;
}

function printList(
  name: string,
  descriptor: ValueDescriptor,
  values: readonly SingleValue[],
  indent: string,
): string {
  if (descriptor.kind === 'message' || descriptor.kind === 'string') {
    return values.map((value) => printField(name, descriptor, value, indent)).join('');
  }
  return `${indent}${name}: [${values.map((value) => printScalar(descriptor, value)).join(', ')}]\n`;
}

function printField(name: string, descriptor: ValueDescriptor, value: SingleValue, indent: string): string {
  if (descriptor.kind !== 'message' || !isMessageValue(value)) {
    return `${indent}${name}: ${printScalar(descriptor, value)}\n`;
  }
  const fields = printFields(value, descriptor.message, `${indent}  `);
  return fields === '' ? `${indent}${name} {}\n` : `${indent}${name} {\n${fields}${indent}}\n`;
}

function printScalar({ kind }: ValueDescriptor, value: SingleValue): string {
  if (kind === 'string') {
    return encodeStringLiteral(String(value));
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return Number.isNaN(value) ? 'nan' : `${value < 0 ? '-' : ''}inf`;
  }
  if (typeof value === 'number' && kind === 'float') {
    return formatFloat32(value);
  }
  return Object.is(value, -0) ? '-0' : String(value);
}
