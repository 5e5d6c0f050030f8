import { formatShape, type Shape, shapeMatches } from '../../tensor/shape.ts';
import type { OutputColumn } from '../manifest.ts';

/** What a value read from a result is, held against its declaration. */
export interface CheckedValue {
  readonly problem: string | undefined;
  readonly nonFiniteValues: number;
}

const NON_FINITE = new Set(['NaN', 'Infinity', '-Infinity']);
const FLOATS = new Set(['FP16', 'BF16', 'FP32', 'FP64']);

/** @param value of an output in a line of JSON. */
export function checkValue(value: unknown, { name, datatype, dims }: OutputColumn): CheckedValue {
  if (value === undefined) {
    return { problem: `output '${name}' is missing`, nonFiniteValues: 0 };
  }
  const elements: unknown[] = [];
  const shape = flatten(value, elements);
  // Where every row is one value, it is written as that value alone.
  const isSingle = shape?.length === 0 && dims.every((dim) => dim === 1);
  if (shape === undefined || !(isSingle || shapeMatches(shape, dims))) {
    const found = shape === undefined ? 'ragged arrays' : formatShape(shape);
    return {
      problem: `output '${name}' has shape ${found}, expected ${formatShape(dims)}`,
      nonFiniteValues: 0,
    };
  }
  let nonFiniteValues = 0;
  for (const element of elements) {
    if (FLOATS.has(datatype) && typeof element === 'string' && NON_FINITE.has(element)) {
      nonFiniteValues += 1;
    } else if (!isOfDatatype(element, datatype)) {
      return {
        problem: `output '${name}' holds ${JSON.stringify(element)}, which is no ${datatype}`,
        nonFiniteValues,
      };
    }
  }
  return { problem: undefined, nonFiniteValues };
}

function isOfDatatype(element: unknown, datatype: OutputColumn['datatype']): boolean {
  if (datatype === 'BYTES') {
    return typeof element === 'string';
  }
  if (datatype === 'BOOL') {
    return typeof element === 'boolean';
  }
  return typeof element === 'number' && (FLOATS.has(datatype) || Number.isInteger(element));
}

/** The shape of nested arrays; undefined when they are ragged. */
function flatten(value: unknown, elements: unknown[]): Shape | undefined {
  if (!Array.isArray(value)) {
    elements.push(value);
    return [];
  }
  let inner: Shape | undefined;
  for (const part of value) {
    const shape = flatten(part, elements);
    if (shape === undefined || (inner !== undefined && formatShape(inner) !== formatShape(shape))) {
      return undefined;
    }
    inner = shape;
  }
  return [value.length, ...(inner ?? [])];
}
