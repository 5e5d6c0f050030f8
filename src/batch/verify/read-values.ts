import { allocateData, assembleTensor } from '../../tensor/create-tensor.ts';
import { elementCount, formatShape, type Shape, shapeMatches } from '../../tensor/shape.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import type { OutputColumn } from '../manifest.ts';
import { createElementWriter, type ElementWriter, ValueError } from '../mapping/element-writer.ts';

/** Reads values of one output back into tensors of the shape that a row has. */
export interface ValueReader {
  readonly output: OutputColumn;
  /** From a value of JSON. @throws {ValueError} when its shape or datatype is not as declared. */
  fromJson(value: unknown): Tensor;
  /** From the cells of a CSV record, one a value. @throws {ValueError} */
  fromCells(cells: readonly string[]): Tensor;
}

export function createValueReader(output: OutputColumn): ValueReader {
  const { name, datatype, dims } = output;
  const writeJson = createElementWriter(datatype, false, true);
  const writeText = createElementWriter(datatype, true, true);
  const read = (elements: readonly unknown[], shape: Shape, write: ElementWriter): Tensor => {
    const data = allocateData(datatype, elements.length);
    try {
      for (let index = 0; index < elements.length; index += 1) {
        write(data, index, elements[index]);
      }
    } catch (error) {
      throw error instanceof ValueError ? new ValueError(`output '${name}': ${error.message}`) : error;
    }
    return assembleTensor(datatype, shape, data);
  };
  return {
    output,
    fromJson(value) {
      if (value === undefined) {
        throw new ValueError(`output '${name}' is missing`);
      }
      const elements: unknown[] = [];
      return read(elements, shapeOfValue(output, flatten(value, elements), elements), writeJson);
    },
    fromCells: (cells) => read(cells, dims, writeText),
  };
}

/** @param found undefined: the arrays are ragged. @throws {ValueError} */
function shapeOfValue(
  { name, dims }: OutputColumn,
  found: Shape | undefined,
  elements: readonly unknown[],
): Shape {
  if (found !== undefined && shapeMatches(found, dims)) {
    return found;
  }
  // Where every row is one value, it is written as that value alone.
  if (found?.length === 0 && dims.every((dim) => dim === 1)) {
    return dims;
  }
  // Nested arrays without a value may show only some of the dimensions.
  if (found !== undefined && elements.length === 0 && elementCount(dims) === 0) {
    return dims;
  }
  const shown = found === undefined ? 'ragged arrays' : formatShape(found);
  throw new ValueError(`output '${name}' has shape ${shown}, expected ${formatShape(dims)}`);
}

/** The shape of nested arrays, whose elements are added to `elements`; undefined when they are ragged. */
function flatten(value: unknown, elements: unknown[]): Shape | undefined {
  if (!Array.isArray(value)) {
    elements.push(value);
    return [];
  }
  let inner: Shape | undefined;
  for (const part of value) {
    const shape = flatten(part, elements);
    if (shape === undefined || (inner !== undefined && !shapeMatches(shape, inner))) {
      return undefined;
    }
    inner = shape;
  }
  return [value.length, ...(inner ?? [])];
}
