import type { Tensor as OrtTensor } from 'onnxruntime-node';
import { DATATYPE_NAMES, type Datatype } from '../../tensor/datatype.ts';

/**
 * ONNX Runtime's name of each datatype that its Node binding carries in and out of a session. Not among them: BF16,
 * of which it refuses every model, and int4 and uint4, of which a single output aborts the whole process.
 */
export const ORT_TYPES = {
  BOOL: 'bool',
  UINT8: 'uint8',
  UINT16: 'uint16',
  UINT32: 'uint32',
  UINT64: 'uint64',
  INT8: 'int8',
  INT16: 'int16',
  INT32: 'int32',
  INT64: 'int64',
  FP16: 'float16',
  FP32: 'float32',
  FP64: 'float64',
  BF16: undefined,
  BYTES: 'string',
} as const satisfies Record<Datatype, OrtTensor.Type | undefined>;

const DATATYPES: ReadonlyMap<string | undefined, Datatype> = new Map(
  DATATYPE_NAMES.map((name) => [ORT_TYPES[name], name]),
);

/** The datatype of a type of ONNX Runtime; undefined for one that cannot be carried. */
export function datatypeOfOrtType(type: OrtTensor.Type): Datatype | undefined {
  return DATATYPES.get(type);
}
