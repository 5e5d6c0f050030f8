import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';
import { expect, it } from 'vitest';
import { elementTypeOf } from './element-types.ts';
import { FIELDS } from './model-fields.ts';

const path = fileURLToPath(new URL('../../proto/onnx-ml.proto', import.meta.url));
const onnx = new protobuf.Root().loadSync(path, { keepCase: true });

it.each(Object.entries(FIELDS))('the fields of %s are those of onnx-ml.proto', (message, fields) => {
  const known = onnx.lookupType(`onnx.${message}`).fields;
  expect(fields).toEqual(Object.fromEntries(Object.keys(fields).map((name) => [name, known[name]?.id])));
});

it('every datatype of onnx-ml.proto is known by its name', () => {
  const { UNDEFINED: _none, ...types } = onnx.lookupEnum('onnx.TensorProto.DataType').values;
  expect(Object.values(types).map((number) => elementTypeOf(number).name)).toEqual(Object.keys(types));
});
