import { MillraceError } from '../base/errors.ts';
import type { Datatype } from './datatype.ts';
import { bfloat16FromNumber, float16FromNumber, numberFromBfloat16, numberFromFloat16 } from './float16.ts';
import { formatFloat32, formatFloat64, formatNarrowFloat } from './format-number.ts';
import type { Tensor, TensorData } from './tensor.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

const roundToFloat16 = (value: number): number => numberFromFloat16(float16FromNumber(value));
const roundToBfloat16 = (value: number): number => numberFromBfloat16(bfloat16FromNumber(value));

/** JSON text of the element at `index`. */
const ELEMENT_TEXT: { readonly [D in Datatype]: (data: TensorData<D>, index: number) => string } = {
  BOOL: (data, index) => (data[index] === 0 ? 'false' : 'true'),
  UINT8: (data, index) => String(data[index]),
  UINT16: (data, index) => String(data[index]),
  UINT32: (data, index) => String(data[index]),
  UINT64: (data, index) => String(data[index]),
  INT8: (data, index) => String(data[index]),
  INT16: (data, index) => String(data[index]),
  INT32: (data, index) => String(data[index]),
  INT64: (data, index) => String(data[index]),
  FP16: (data, index) => formatNarrowFloat(numberFromFloat16(data[index] ?? 0), roundToFloat16),
  FP32: (data, index) => formatFloat32(data[index] ?? 0),
  FP64: (data, index) => formatFloat64(data[index] ?? 0),
  BF16: (data, index) => formatNarrowFloat(numberFromBfloat16(data[index] ?? 0), roundToBfloat16),
  BYTES: textOfBytes,
};

function textOfBytes(data: TensorData<'BYTES'>, index: number): string {
  try {
    return JSON.stringify(UTF8.decode(data[index]));
  } catch (error) {
    throw new MillraceError(
      'TENSOR_INVALID',
      `element ${index} of a BYTES tensor is not UTF-8 text, which is all that JSON can hold`,
      { cause: error },
    );
  }
}

/**
 * JSON text of one row of a tensor: its first dimension is left out, a row of one value is that value alone, any other
 * row is an array, nested as the dimensions are. Numbers are exact (`format-number.ts`); NaN and infinities are the
 * strings "NaN", "Infinity" and "-Infinity".
 * @throws {MillraceError} TENSOR_INVALID for a BYTES element that is not UTF-8.
 */
export function tensorRowToJson(tensor: Tensor, row: number): string {
  const rows = tensor.shape[0] ?? 1;
  const perRow = rows === 0 ? 0 : tensor.data.length / rows;
  const start = row * perRow;
  if (tensor.shape.length <= 2 || perRow === 1) {
    return perRow === 1 && tensor.shape.every((size, axis) => axis === 0 || size === 1)
      ? elementToJson(tensor, start)
      : arrayToJson(tensor, start, perRow);
  }
  return nestedToJson(tensor, 1, start, perRow);
}

/** JSON text of the element at `index` of the flat data. */
export function elementToJson(tensor: Tensor, index: number): string {
  // The table has one entry a datatype; the compiler does not carry the datatype over to its data.
  const toText = ELEMENT_TEXT[tensor.datatype] as (data: Tensor['data'], index: number) => string;
  return toText(tensor.data, index);
}

function arrayToJson(tensor: Tensor, start: number, length: number): string {
  let text = '[';
  if (tensor.datatype === 'FP32') {
    const { data } = tensor;
    for (let index = start; index < start + length; index += 1) {
      text += index === start ? formatFloat32(data[index] ?? 0) : `,${formatFloat32(data[index] ?? 0)}`;
    }
  } else {
    for (let index = start; index < start + length; index += 1) {
      text += index === start ? elementToJson(tensor, index) : `,${elementToJson(tensor, index)}`;
    }
  }
  return `${text}]`;
}

function nestedToJson(tensor: Tensor, axis: number, start: number, length: number): string {
  if (axis === tensor.shape.length - 1) {
    return arrayToJson(tensor, start, length);
  }
  const size = tensor.shape[axis] ?? 0;
  const step = size === 0 ? 0 : length / size;
  const parts: string[] = [];
  for (let index = 0; index < size; index += 1) {
    parts.push(nestedToJson(tensor, axis + 1, start + index * step, step));
  }
  return `[${parts.join(',')}]`;
}
