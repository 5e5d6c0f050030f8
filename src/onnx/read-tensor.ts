import { elementCount } from '../tensor/shape.ts';
import { BOOL_ELEMENT, elementTypeOf } from './element-types.ts';
import { FIELDS } from './model-fields.ts';
import type { OnnxTensor } from './onnx-model.ts';
import type { WireMessage } from './wire-message.ts';

/** More dimensions than any tensor has. */
const MAX_RANK = 64;
/** `TensorProto.DataLocation`. */
const EXTERNAL_LOCATION = 1;

/** Reads a `TensorProto` without its data. */
export function readTensor(message: WireMessage): OnnxTensor {
  const fields = FIELDS.TensorProto;
  let name = '';
  let dataType = 0;
  let firstValue = 0;
  const dims: number[] = [];
  let isExternal = false;
  const external = new Map<string, string>();
  for (const field of message.fields()) {
    switch (field.number) {
      case fields.dims:
        dims.push(...message.numbers(field, MAX_RANK));
        break;
      case fields.data_type:
        dataType = field.kind === 'varint' ? field.value : dataType;
        break;
      case fields.int32_data:
        firstValue = message.numbers(field, 1)[0] ?? firstValue;
        break;
      case fields.raw_data:
        if (field.kind === 'bytes' && field.end - field.start === 1) {
          firstValue = message.byte(field);
        }
        break;
      case fields.name:
        name = field.kind === 'bytes' ? message.text(field) : name;
        break;
      case fields.external_data:
        if (field.kind === 'bytes') {
          external.set(...readEntry(message.message(field)));
        }
        break;
      case fields.data_location:
        isExternal = field.kind === 'varint' && field.value === EXTERNAL_LOCATION;
        break;
    }
  }
  const isTrue = dataType === BOOL_ELEMENT && elementCount(dims) === 1 && firstValue !== 0;
  return {
    name,
    elementType: elementTypeOf(dataType),
    dims,
    isTrue,
    external: isExternal ? external : undefined,
  };
}

/** Reads a `SparseTensorProto`: the tensor of its values, which gives it its name, and that of their places. */
export function readSparseTensor(message: WireMessage): OnnxTensor[] {
  const tensors: OnnxTensor[] = [];
  for (const field of message.fields()) {
    const isPart =
      field.number === FIELDS.SparseTensorProto.values || field.number === FIELDS.SparseTensorProto.indices;
    if (field.kind === 'bytes' && isPart) {
      tensors.push(readTensor(message.message(field)));
    }
  }
  return tensors;
}

function readEntry(message: WireMessage): [key: string, value: string] {
  let key = '';
  let value = '';
  for (const field of message.fields()) {
    if (field.kind === 'bytes' && field.number === FIELDS.StringStringEntryProto.key) {
      key = message.text(field);
    } else if (field.kind === 'bytes' && field.number === FIELDS.StringStringEntryProto.value) {
      value = message.text(field);
    }
  }
  return [key, value];
}
