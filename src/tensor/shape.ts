/** Sizes of the dimensions of a tensor, outermost first; each is an integer of at least 0. */
export type Shape = readonly number[];

/** Like a `Shape`, where -1 stands for "any size". */
export type Dims = readonly number[];

/** Product of the sizes: 1 for the empty shape, 0 when a dimension is 0. */
export function elementCount(shape: Shape): number {
  let count = 1;
  for (const size of shape) {
    count *= size;
  }
  return count;
}

/** `[2,-1,3]`, as Triton prints shapes. */
export function formatShape(shape: Dims): string {
  return `[${shape.join(',')}]`;
}

/** True when `shape` has the rank of `dims` and each size equals the dim or the dim is -1. */
export function shapeMatches(shape: Shape, dims: Dims): boolean {
  return shape.length === dims.length && dims.every((dim, index) => dim === -1 || dim === shape[index]);
}
