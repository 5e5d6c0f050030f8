import { type Dims, formatShape, type Shape, shapeMatches } from '../../tensor/shape.ts';
import { ValueError } from './element-writer.ts';

/** A nested array made flat. */
export interface FlatValue {
  readonly shape: Shape;
  readonly elements: readonly unknown[];
}

/**
 * A value of JSON as the elements of a row. A value that is no array fills a row of one element; a flat array fills any
 * row whose size it has, so that `[1, 2, 3, 4]` is good for dims [2, 2].
 * @throws {ValueError} when the arrays are ragged or have another shape than `dims`.
 */
export function flattenValue(value: unknown, dims: Dims): FlatValue {
  if (!Array.isArray(value)) {
    if (dims.every((dim) => dim === 1 || dim === -1)) {
      return { shape: dims.map(() => 1), elements: [value] };
    }
    throw new ValueError(`expected an array of shape ${formatShape(dims)}, got a single value`);
  }
  const elements: unknown[] = [];
  const shape = shapeOf(value);
  collect(value, shape, 0, elements);
  if (shapeMatches(shape, dims)) {
    return { shape, elements };
  }
  const fixed = dims.includes(-1) ? undefined : dims.reduce((product, dim) => product * dim, 1);
  if (shape.length === 1 && fixed === elements.length) {
    return { shape: dims, elements };
  }
  throw new ValueError(`expected an array of shape ${formatShape(dims)}, got ${formatShape(shape)}`);
}

function shapeOf(value: unknown): Shape {
  const shape: number[] = [];
  for (let level: unknown = value; Array.isArray(level); level = level[0]) {
    shape.push(level.length);
  }
  return shape;
}

function collect(value: unknown, shape: Shape, depth: number, elements: unknown[]): void {
  if (depth === shape.length) {
    if (Array.isArray(value)) {
      throw new ValueError('the arrays are nested unevenly');
    }
    elements.push(value);
    return;
  }
  if (!Array.isArray(value) || value.length !== shape[depth]) {
    throw new ValueError(`the arrays are ragged: expected shape ${formatShape(shape)} throughout`);
  }
  for (const part of value) {
    collect(part, shape, depth + 1, elements);
  }
}
