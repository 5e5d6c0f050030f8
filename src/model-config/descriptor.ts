import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';

/**
 * Triton's ModelConfig as `proto/model_config.proto` describes it, read at start-up: every field is known because the
 * file knows it. Names stay as in the file.
 */

/** The file is beside `src/` and `dist/` alike. */
const PROTO_FILE = new URL('../../proto/model_config.proto', import.meta.url);

/** What a field can hold by itself, one at a time. */
export type ScalarKind = 'int32' | 'uint32' | 'int64' | 'uint64' | 'float' | 'double' | 'bool' | 'string';

export type ValueDescriptor =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'enum'; readonly name: string; readonly numbers: ReadonlyMap<string, number> }
  | { readonly kind: 'message'; readonly message: MessageDescriptor };

export interface FieldDescriptor {
  readonly name: string;
  readonly number: number;
  readonly value: ValueDescriptor;
  readonly repeated: boolean;
  /** Set for a map; `value` then is that of its values. */
  readonly mapKey: ScalarKind | undefined;
  /** Name of the oneof the field belongs to. */
  readonly oneof: string | undefined;
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
    fields.set(field.name, {
      name: field.name,
      number: field.id,
      value: describeValue(field),
      repeated: field.repeated,
      mapKey: field instanceof protobuf.MapField && isScalarKind(field.keyType) ? field.keyType : undefined,
      oneof: field.partOf?.name,
    });
  }
  return { name: type.fullName.replace(/^\.inference\./, ''), fields };
}

function describeValue(field: protobuf.Field): ValueDescriptor {
  if (field.resolvedType instanceof protobuf.Enum) {
    return {
      kind: 'enum',
      name: field.resolvedType.fullName.replace(/^\.inference\./, ''),
      numbers: new Map(Object.entries(field.resolvedType.values)),
    };
  }
  if (field.resolvedType instanceof protobuf.Type) {
    return { kind: 'message', message: describeMessage(field.resolvedType) };
  }
  if (isScalarKind(field.type)) {
    return { kind: field.type };
  }
  throw new Error(`field type '${field.type}' in ${PROTO_FILE.pathname} is not known`);
}

/** The descriptor of `inference.ModelConfig`. */
export const MODEL_CONFIG: MessageDescriptor = describeMessage(
  protobuf
    .parse(readFileSync(PROTO_FILE, 'utf8'), { keepCase: true })
    .root.lookupType('inference.ModelConfig'),
);
