import type { Datatype } from '../tensor/datatype.ts';
import type { DataType } from './generated/model-config-message.ts';

/** Datatypes by the names that config.pbtxt has for them. */
const DATATYPE_OF_DATA_TYPE = {
  TYPE_BOOL: 'BOOL',
  TYPE_UINT8: 'UINT8',
  TYPE_UINT16: 'UINT16',
  TYPE_UINT32: 'UINT32',
  TYPE_UINT64: 'UINT64',
  TYPE_INT8: 'INT8',
  TYPE_INT16: 'INT16',
  TYPE_INT32: 'INT32',
  TYPE_INT64: 'INT64',
  TYPE_FP16: 'FP16',
  TYPE_FP32: 'FP32',
  TYPE_FP64: 'FP64',
  TYPE_STRING: 'BYTES',
  TYPE_BF16: 'BF16',
} as const satisfies Partial<Record<DataType, Datatype>>;

type NamedDataType = keyof typeof DATATYPE_OF_DATA_TYPE;

function isNamedDataType(dataType: DataType): dataType is NamedDataType {
  return Object.hasOwn(DATATYPE_OF_DATA_TYPE, dataType);
}

/** Undefined for TYPE_INVALID and for numbers that no name stands for. */
export function datatypeFromDataType(dataType: DataType | undefined): Datatype | undefined {
  return dataType !== undefined && isNamedDataType(dataType) ? DATATYPE_OF_DATA_TYPE[dataType] : undefined;
}

export function dataTypeFromDatatype(datatype: Datatype): NamedDataType {
  return datatype === 'BYTES' ? 'TYPE_STRING' : `TYPE_${datatype}`;
}
