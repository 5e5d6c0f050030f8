import type { Datatype } from '../tensor/datatype.ts';

/** A datatype of ONNX: its name there, the size of an element, and the datatype of ours that holds it, if any. */
export interface ElementType {
  readonly name: string;
  /** Undefined for strings. */
  readonly bits: number | undefined;
  readonly datatype: Datatype | undefined;
}

const type = (name: string, bits: number | undefined, datatype?: Datatype): ElementType => ({
  name,
  bits,
  datatype,
});

/** By `TensorProto.DataType`. */
const ELEMENT_TYPES: ReadonlyMap<number, ElementType> = new Map([
  [1, type('FLOAT', 32, 'FP32')],
  [2, type('UINT8', 8, 'UINT8')],
  [3, type('INT8', 8, 'INT8')],
  [4, type('UINT16', 16, 'UINT16')],
  [5, type('INT16', 16, 'INT16')],
  [6, type('INT32', 32, 'INT32')],
  [7, type('INT64', 64, 'INT64')],
  [8, type('STRING', undefined, 'BYTES')],
  [9, type('BOOL', 8, 'BOOL')],
  [10, type('FLOAT16', 16, 'FP16')],
  [11, type('DOUBLE', 64, 'FP64')],
  [12, type('UINT32', 32, 'UINT32')],
  [13, type('UINT64', 64, 'UINT64')],
  [14, type('COMPLEX64', 64)],
  [15, type('COMPLEX128', 128)],
  [16, type('BFLOAT16', 16, 'BF16')],
  [17, type('FLOAT8E4M3FN', 8)],
  [18, type('FLOAT8E4M3FNUZ', 8)],
  [19, type('FLOAT8E5M2', 8)],
  [20, type('FLOAT8E5M2FNUZ', 8)],
  [21, type('UINT4', 4)],
  [22, type('INT4', 4)],
  [23, type('FLOAT4E2M1', 4)],
  [24, type('FLOAT8E8M0', 8)],
  [25, type('UINT2', 2)],
  [26, type('INT2', 2)],
  [27, type('FLOAT6E2M3', 6)],
  [28, type('FLOAT6E3M2', 6)],
]);

/** The type of a number of `TensorProto.DataType`; one that is not known keeps its number as its name. */
export function elementTypeOf(number: number): ElementType {
  return ELEMENT_TYPES.get(number) ?? type(`datatype ${number}`, undefined);
}

export const BOOL_ELEMENT = 9;
