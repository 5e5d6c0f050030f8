/**
 * Numbers of the fields of onnx-ml.proto that are read, by the names they have there. A test holds this table against
 * the file in `proto/`.
 */
export const FIELDS = {
  ModelProto: { ir_version: 1, graph: 7, opset_import: 8, functions: 25 },
  OperatorSetIdProto: { domain: 1, version: 2 },
  FunctionProto: { name: 1, node: 7 },
  GraphProto: { node: 1, initializer: 5, input: 11, output: 12, sparse_initializer: 15 },
  NodeProto: { input: 1, output: 2, name: 3, op_type: 4, attribute: 5, domain: 7 },
  AttributeProto: { name: 1, i: 3, t: 5, g: 6, graphs: 11 },
  TensorProto: {
    dims: 1,
    data_type: 2,
    int32_data: 5,
    name: 8,
    raw_data: 9,
    external_data: 13,
    data_location: 14,
  },
  SparseTensorProto: { values: 1, indices: 2 },
  StringStringEntryProto: { key: 1, value: 2 },
  ValueInfoProto: { name: 1, type: 2 },
  TypeProto: {
    tensor_type: 1,
    sequence_type: 4,
    map_type: 5,
    opaque_type: 7,
    sparse_tensor_type: 8,
    optional_type: 9,
  },
  'TypeProto.Tensor': { elem_type: 1, shape: 2 },
  TensorShapeProto: { dim: 1 },
  'TensorShapeProto.Dimension': { dim_value: 1 },
} as const;
