import type { OnnxGraph, OnnxModel, OnnxNode, OnnxTensor } from './onnx-model.ts';

/** All nodes under `nodes`: those themselves, and those in the graphs that control flow nodes carry. */
function* walkNodes(nodes: readonly OnnxNode[]): Generator<OnnxNode> {
  for (const node of nodes) {
    yield node;
    for (const graph of subgraphsOf(node)) {
      yield* walkNodes(graph.nodes);
    }
  }
}

/** Every constant tensor of the model: initialisers and attributes, in graphs at any depth and in functions. */
export function* walkTensors({ graph, functions }: OnnxModel): Generator<OnnxTensor> {
  yield* graph.initializers;
  const nodes = [graph.nodes, ...functions.map((called) => called.nodes)].flatMap((list) => [
    ...walkNodes(list),
  ]);
  for (const { attributes } of nodes) {
    for (const { tensor, graphs } of attributes) {
      if (tensor !== undefined) {
        yield tensor;
      }
      yield* graphs.flatMap(({ initializers }) => initializers);
    }
  }
}

/** The graphs inside a node: the branches of an If, the body of a Loop or a Scan. */
export function subgraphsOf(node: OnnxNode): OnnxGraph[] {
  return node.attributes.flatMap(({ graphs }) => graphs);
}
