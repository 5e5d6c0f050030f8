import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';

/**
 * Triton's ModelConfig as `proto/model_config.proto` describes it, read at start-up: every field is known because the
 * file knows it. Names stay as in the file.
 * @see docs/decisions/0001-read-the-config-descriptor-at-start.md
 */

/** The file is beside `src/` and `dist/` alike. */
const PROTO_FILE = new URL('../../proto/model_config.proto', import.meta.url);

const PACKAGE_PREFIX = /^\.inference\./;

/** What a field can hold by itself, one at a time. */
export type ScalarKind = 'int32' | 'uint32' | 'int64' | 'uint64' | 'float' | 'double' | 'bool' | 'string';

export type ValueDescriptor =
  | { readonly kind: ScalarKind }
  | EnumDescriptor
  | { readonly kind: 'message'; readonly message: MessageDescriptor };

export interface EnumDescriptor {
  readonly kind: 'enum';
  readonly name: string;
  readonly numbers: ReadonlyMap<string, number>;
}

export type FieldDescriptor = PlainField | MapField;

interface PlainField {
  readonly cardinality: 'single' | 'list';
  readonly name: string;
  /** Of one element. */
  readonly value: ValueDescriptor;
  /** Name of the oneof the field belongs to. */
  readonly oneof?: string;
}

interface MapField {
  readonly cardinality: 'map';
  readonly name: string;
  readonly key: { readonly kind: ScalarKind };
  readonly value: ValueDescriptor;
  /** As texts write it: a message of the single fields `key` and `value`. */
  readonly entry: MessageDescriptor;
  readonly oneof?: undefined;
}

export interface MessageDescriptor {
  /** Without the package: `ModelOptimizationPolicy.Cuda`. */
  readonly name: string;
  /** By name, in the order of the file. */
  readonly fields: ReadonlyMap<string, FieldDescriptor>;
}

const SCALAR_KINDS: ReadonlySet<string> = new Set<ScalarKind>([
  'int32',
  'uint32',
  'int64',
  'uint64',
  'float',
  'double',
  'bool',
  'string',
]);

function isScalarKind(type: string): type is ScalarKind {
  return SCALAR_KINDS.has(type);
}

function describeMessage(type: protobuf.Type): MessageDescriptor {
  const fields = new Map<string, FieldDescriptor>();
  for (const field of type.fieldsArray) {
    field.resolve();
    fields.set(field.name, describeField(field));
  }
  return { name: type.fullName.replace(PACKAGE_PREFIX, ''), fields };
}

function describeField(field: protobuf.Field): FieldDescriptor {
  const { name } = field;
  const value = describeValue(field);
  if (field instanceof protobuf.MapField) {
    const key = describeScalar(field.keyType);
    const fields = new Map<string, FieldDescriptor>([
      ['key', { cardinality: 'single', name: 'key', value: key }],
      ['value', { cardinality: 'single', name: 'value', value }],
    ]);
    return { cardinality: 'map', name, key, value, entry: { name: `an entry of ${name}`, fields } };
  }
  const oneof = field.partOf?.name;
  return {
    cardinality: field.repeated ? 'list' : 'single',
    name,
    value,
    ...(oneof !== undefined && { oneof }),
  };
}

function describeValue(field: protobuf.Field): ValueDescriptor {
  const { resolvedType } = field;
  if (resolvedType instanceof protobuf.Enum) {
    return {
      kind: 'enum',
      name: resolvedType.fullName.replace(PACKAGE_PREFIX, ''),
      numbers: new Map(Object.entries(resolvedType.values)),
    };
  }
  return resolvedType instanceof protobuf.Type
    ? { kind: 'message', message: describeMessage(resolvedType) }
    : describeScalar(field.type);
}

function describeScalar(type: string): { readonly kind: ScalarKind } {
  if (!isScalarKind(type)) {
    throw new Error(`field type '${type}' in ${PROTO_FILE.pathname} is not known`);
  }
  return { kind: type };
}

/** The descriptor of `inference.ModelConfig`. */
export const MODEL_CONFIG: MessageDescriptor = describeMessage(
  protobuf
    .parse(readFileSync(PROTO_FILE, 'utf8'), { keepCase: true })
    .root.lookupType('inference.ModelConfig'),
);
