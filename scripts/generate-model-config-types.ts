/**
 * Writes `src/model-config/generated/model-config-message.ts`: the TypeScript types of Triton's ModelConfig message,
 * from the same descriptor that drives the parser. Run it after proto/model_config.proto was replaced:
 *
 *     npx tsx scripts/generate-model-config-types.ts
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type FieldDescriptor,
  type MessageDescriptor,
  MODEL_CONFIG,
  type ScalarKind,
  type ValueDescriptor,
} from '../src/model-config/descriptor.ts';

export const GENERATED_FILE = fileURLToPath(
  new URL('../src/model-config/generated/model-config-message.ts', import.meta.url),
);

const SCALAR_TYPES: Readonly<Record<ScalarKind, string>> = {
  int32: 'number',
  uint32: 'number',
  int64: 'bigint',
  uint64: 'bigint',
  float: 'number',
  double: 'number',
  bool: 'boolean',
  string: 'string',
};

const typeName = (name: string): string =>
  `${name.replaceAll('.', '')}${name === 'ModelConfig' ? 'Message' : ''}`;

function valueType(value: ValueDescriptor): string {
  switch (value.kind) {
    case 'message':
      return typeName(value.message.name);
    case 'enum':
      return typeName(value.name);
    default:
      return SCALAR_TYPES[value.kind];
  }
}

function fieldType(field: FieldDescriptor): string {
  const type = valueType(field.value);
  if (field.cardinality === 'map') {
    return `ReadonlyMap<${SCALAR_TYPES[field.key.kind]}, ${type}>`;
  }
  return field.cardinality === 'list' ? `readonly ${type}[]` : type;
}

function declareMessage(message: MessageDescriptor): string {
  const fields = [...message.fields.values()].map(
    (field) => `  readonly ${field.name}?: ${fieldType(field)};\n`,
  );
  return `export interface ${typeName(message.name)} {\n${fields.join('')}}\n`;
}

/** The text of the generated file. */
export function generateModelConfigTypes(): string {
  const declarations = new Map<string, string>();
  const visit = (message: MessageDescriptor): void => {
    if (declarations.has(message.name)) {
      return;
    }
    declarations.set(message.name, declareMessage(message));
    for (const { value } of message.fields.values()) {
      if (value.kind === 'message') {
        visit(value.message);
      } else if (value.kind === 'enum') {
        const names = [...value.numbers.keys()].map((name) => `'${name}'`).join(' | ');
        declarations.set(value.name, `export type ${typeName(value.name)} = ${names} | number;\n`);
      }
    }
  };
  visit(MODEL_CONFIG);
  const header = `/**
 * Triton's ModelConfig message. Made from proto/model_config.proto by scripts/generate-model-config-types.ts: do not edit.
 * A field that is absent has its proto3 default. An enum value without a name is its number.
 */
`;
  return [header, ...declarations.values()].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(fileURLToPath(new URL('../src/model-config/generated/', import.meta.url)), { recursive: true });
  writeFileSync(GENERATED_FILE, generateModelConfigTypes());
}
