import { MillraceError } from '../base/errors.ts';
import type { Datatype } from './datatype.ts';
import {
  formatBfloat16,
  formatFloat16,
  formatFloat32,
  formatFloat32Elements,
  formatFloat64,
} from './format-number.ts';
import type { Tensor, TensorData } from './tensor.ts';

/** `ignoreBOM`: a leading U+FEFF is part of the text like any other character. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

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
  FP16: (data, index) => formatFloat16(data[index] ?? 0),
  FP32: (data, index) => formatFloat32(data[index] ?? 0),
  FP64: (data, index) => formatFloat64(data[index] ?? 0),
  BF16: (data, index) => formatBfloat16(data[index] ?? 0),
  BYTES: textOfBytes,
};

function textOfBytes(data: TensorData<'BYTES'>, index: number): string {
  try {
    return JSON.stringify(UTF8.decode(data[index]));
  } catch (error) {
    throw new MillraceError(
      'TENSOR_INVALID',
      `element ${index} of a BYTES tensor is not UTF-8 text, which is all that JSON can hold`,
      { cause: error, details: { element: index } },
    );
  }
}

/**
 * JSON text of one row of a tensor: its first dimension is left out, a row of one value is that value alone, any other
 * row is an array, nested as the dimensions are. Numbers are exact (`format-number.ts`); NaN and infinities are the
 * strings "NaN", "Infinity" and "-Infinity".
 * @param tensor of rank 1 or more, with more than `row` rows.
 * @param unwraps false: a row of one value is an array as well, for a tensor whose other rows may have more.
 * @throws {MillraceError} TENSOR_INVALID for a BYTES element that is not UTF-8.
 */
export function tensorRowToJson(tensor: Tensor, row: number, unwraps = true): string {
  const [rows = 1] = tensor.shape;
  const perRow = tensor.data.length / rows;
  return unwraps && perRow === 1 ? elementToJson(tensor, row) : arrayToJson(tensor, 1, row * perRow, perRow);
}

/** JSON text of the element at `index` of the flat data. @throws {MillraceError} TENSOR_INVALID as `tensorRowToJson`. */
export function elementToJson(tensor: Tensor, index: number): string {
  // The table has one entry a datatype; the compiler does not carry the datatype over to its data.
  const toText = ELEMENT_TEXT[tensor.datatype] as (data: Tensor['data'], index: number) => string;
  return toText(tensor.data, index);
}

/** JSON array of the dimensions from `axis` on: `length` elements from `start` on. */
function arrayToJson(tensor: Tensor, axis: number, start: number, length: number): string {
  if (axis >= tensor.shape.length - 1) {
    return `[${elementsToJson(tensor, start, start + length)}]`;
  }
  const size = tensor.shape[axis] ?? 0;
  const step = length / size;
  const parts: string[] = [];
  for (let index = 0; index < size; index += 1) {
    parts.push(arrayToJson(tensor, axis + 1, start + index * step, step));
  }
  return `[${parts.join(',')}]`;
}

function elementsToJson(tensor: Tensor, start: number, end: number): string {
  if (tensor.datatype === 'FP32') {
    return formatFloat32Elements(tensor.data, start, end);
  }
  let text = '';
  for (let index = start; index < end; index += 1) {
    text += index === start ? elementToJson(tensor, index) : `,${elementToJson(tensor, index)}`;
  }
  return text;
}
