/**
 * Triton's datatypes. `bytes` is the size of one element in memory and on the wire; BYTES elements vary.
 * @see https://github.com/triton-inference-server/server/blob/main/docs/user_guide/model_configuration.md#datatypes
 */
export const DATATYPES = {
  BOOL: { bytes: 1 },
  UINT8: { bytes: 1 },
  UINT16: { bytes: 2 },
  UINT32: { bytes: 4 },
  UINT64: { bytes: 8 },
  INT8: { bytes: 1 },
  INT16: { bytes: 2 },
  INT32: { bytes: 4 },
  INT64: { bytes: 8 },
  FP16: { bytes: 2 },
  FP32: { bytes: 4 },
  FP64: { bytes: 8 },
  BF16: { bytes: 2 },
  BYTES: { bytes: undefined },
} as const satisfies Record<string, { readonly bytes: number | undefined }>;

export type Datatype = keyof typeof DATATYPES;

/** Every datatype, in the order of the table. */
export const DATATYPE_NAMES: readonly Datatype[] = Object.keys(DATATYPES).filter(isDatatype);

function isDatatype(name: string): name is Datatype {
  return Object.hasOwn(DATATYPES, name);
}

/** The datatypes whose elements are IEEE or brain floating point numbers. */
export function isFloatDatatype(datatype: Datatype): datatype is 'FP16' | 'FP32' | 'FP64' | 'BF16' {
  return datatype === 'FP32' || datatype === 'FP16' || datatype === 'FP64' || datatype === 'BF16';
}
