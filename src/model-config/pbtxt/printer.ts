import type { FieldDescriptor, MessageDescriptor, ValueDescriptor } from '../descriptor.ts';
import type { MessageValue, SingleValue } from './parser.ts';
import { encodeStringLiteral } from './string-literal.ts';

/**
 * A message as text format that reads back as the same message: fields in the order of the descriptor, lists of numbers
 * on one line, everything else a line of its own.
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
      for (const [key, entry] of value) {
        const keyLine = `${indent}  key: ${printScalar(key)}\n`;
        text += `${indent}${field.name} {\n${keyLine}${printField('value', field.value, entry, `${indent}  `)}${indent}}\n`;
      }
    } else if (Array.isArray(value)) {
      text += printList(field, value, indent);
    } else {
      text += printField(field.name, field.value, value, indent);
    }
  }
  return text;
}

function printList(field: FieldDescriptor, values: readonly SingleValue[], indent: string): string {
  if (field.value.kind !== 'message' && field.value.kind !== 'string') {
    return `${indent}${field.name}: [${values.map((value) => printElement(field.value, value)).join(', ')}]\n`;
  }
  return values.map((value) => printField(field.name, field.value, value, indent)).join('');
}

function printField(name: string, descriptor: ValueDescriptor, value: SingleValue, indent: string): string {
  if (descriptor.kind !== 'message') {
    return `${indent}${name}: ${printElement(descriptor, value)}\n`;
  }
  const fields = isMessage(value) ? printFields(value, descriptor.message, `${indent}  `) : '';
  return fields === '' ? `${indent}${name} {}\n` : `${indent}${name} {\n${fields}${indent}}\n`;
}

function isMessage(value: SingleValue): value is MessageValue {
  return typeof value === 'object';
}

function printElement(descriptor: ValueDescriptor, value: SingleValue): string {
  return descriptor.kind === 'enum' ? String(value) : printScalar(value);
}

function printScalar(value: SingleValue): string {
  if (typeof value === 'string') {
    return encodeStringLiteral(value);
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return Number.isNaN(value) ? 'nan' : `${value < 0 ? '-' : ''}inf`;
  }
  return Object.is(value, -0) ? '-0' : String(value);
}
