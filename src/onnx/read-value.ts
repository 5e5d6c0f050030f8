import type { Dims } from '../tensor/shape.ts';
import { elementTypeOf } from './element-types.ts';
import { FIELDS } from './model-fields.ts';
import type { OnnxValue, OnnxValueType } from './onnx-model.ts';
import type { WireMessage } from './wire-message.ts';

const ANY_SIZE = -1;

const OTHER_KINDS: ReadonlyMap<number, Exclude<OnnxValueType['kind'], 'tensor'>> = new Map([
  [FIELDS.TypeProto.sequence_type, 'sequence'],
  [FIELDS.TypeProto.map_type, 'map'],
  [FIELDS.TypeProto.optional_type, 'optional'],
  [FIELDS.TypeProto.sparse_tensor_type, 'sparse tensor'],
  [FIELDS.TypeProto.opaque_type, 'opaque value'],
]);

/** Reads a `ValueInfoProto`. */
export function readValue(message: WireMessage): OnnxValue {
  let name = '';
  let type: OnnxValueType = { kind: 'value of no type' };
  for (const field of message.fields()) {
    if (field.kind === 'bytes' && field.number === FIELDS.ValueInfoProto.name) {
      name = message.text(field);
    } else if (field.kind === 'bytes' && field.number === FIELDS.ValueInfoProto.type) {
      type = readType(message.message(field));
    }
  }
  return { name, type };
}

function readType(message: WireMessage): OnnxValueType {
  let type: OnnxValueType = { kind: 'value of no type' };
  for (const field of message.fields()) {
    if (field.kind !== 'bytes') {
      continue;
    }
    const kind = OTHER_KINDS.get(field.number);
    if (kind !== undefined) {
      type = { kind };
    } else if (field.number === FIELDS.TypeProto.tensor_type) {
      type = readTensorType(message.message(field));
    }
  }
  return type;
}

function readTensorType(message: WireMessage): OnnxValueType {
  let elementType = elementTypeOf(0);
  let dims: Dims | undefined;
  for (const field of message.fields()) {
    if (field.kind === 'varint' && field.number === FIELDS['TypeProto.Tensor'].elem_type) {
      elementType = elementTypeOf(field.value);
    } else if (field.kind === 'bytes' && field.number === FIELDS['TypeProto.Tensor'].shape) {
      dims = readShape(message.message(field));
    }
  }
  return { kind: 'tensor', elementType, dims };
}

function readShape(message: WireMessage): Dims {
  const dims: number[] = [];
  for (const field of message.fields()) {
    if (field.kind === 'bytes' && field.number === FIELDS.TensorShapeProto.dim) {
      dims.push(readDimension(message.message(field)));
    }
  }
  return dims;
}

/** A size by a symbol, by nothing, or below 0 may be any size. */
function readDimension(message: WireMessage): number {
  let size = ANY_SIZE;
  for (const field of message.fields()) {
    if (field.kind === 'varint' && field.number === FIELDS['TensorShapeProto.Dimension'].dim_value) {
      size = Math.max(ANY_SIZE, field.value);
    }
  }
  return size;
}
