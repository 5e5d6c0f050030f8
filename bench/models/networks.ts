import { createOnnxGraph, type GraphValue, type OnnxGraph } from './onnx-graph.ts';

/** A model file, with what is needed to call it. */
export interface Network {
  readonly file: Uint8Array;
  readonly input: GraphValue;
}

/**
 * Fully connected layers with ReLU between them and a softmax at the end.
 * @param widths values that go into the first layer, then those that come out of each layer.
 */
export function createMlp(widths: readonly number[]): Network {
  const graph = createOnnxGraph();
  const [inputWidth = 0, ...layerWidths] = widths;
  const input = { name: 'features', dims: [inputWidth] };
  let current: string = input.name;
  let width = inputWidth;
  for (const [index, nextWidth] of layerWidths.entries()) {
    if (index > 0) {
      current = graph.addNode('Relu', [current]);
    }
    current = addDense(graph, current, width, nextWidth);
    width = nextWidth;
  }
  return { file: finish(graph, input, current, width), input };
}

/** A residual network over 32 x 32 colour images: three stages of two blocks. @param channels of the first stage. */
export function createResidualNetwork(channels: number): Network {
  const graph = createOnnxGraph();
  const input = { name: 'image', dims: [3, 32, 32] };
  let current = graph.addNode('Relu', [addConvolution(graph, input.name, { from: 3, to: channels })]);
  let width = channels;
  for (const stage of [0, 1, 2]) {
    const nextWidth = channels * 2 ** stage;
    current = addBlock(graph, current, { from: width, to: nextWidth, stride: stage === 0 ? 1 : 2 });
    current = addBlock(graph, current, { from: nextWidth, to: nextWidth });
    width = nextWidth;
  }
  const pooled = graph.addNode('Flatten', [graph.addNode('GlobalAveragePool', [current])], { axis: 1 });
  return { file: finish(graph, input, addDense(graph, pooled, width, 10), 10), input };
}

/** Makes probabilities of the last scores. @returns the bytes of the model file. */
function finish(graph: OnnxGraph, input: GraphValue, scores: string, classes: number): Uint8Array {
  const output = graph.addNode('Softmax', [scores], { axis: -1 }, 'probabilities');
  return graph.encode(input, { name: output, dims: [classes] });
}

function addDense(graph: OnnxGraph, input: string, from: number, to: number): string {
  return graph.addNode('Gemm', [input, graph.addWeight([from, to], from), graph.addWeight([to], from)]);
}

interface Convolution {
  /** Channels that go in and come out. */
  readonly from: number;
  readonly to: number;
  readonly stride?: number;
  readonly kernel?: number;
}

function addConvolution(
  graph: OnnxGraph,
  input: string,
  { from, to, stride = 1, kernel = 3 }: Convolution,
): string {
  const weight = graph.addWeight([to, from, kernel, kernel], from * kernel ** 2);
  const padding = (kernel - 1) / 2;
  return graph.addNode('Conv', [input, weight], {
    kernel_shape: [kernel, kernel],
    strides: [stride, stride],
    pads: [padding, padding, padding, padding],
  });
}

/** Two convolutions and a way around them, which is a 1 x 1 convolution where the shape changes. */
function addBlock(graph: OnnxGraph, input: string, convolution: Convolution): string {
  const { from, to } = convolution;
  const first = graph.addNode('Relu', [addConvolution(graph, input, convolution)]);
  const second = addConvolution(graph, first, { from: to, to });
  const around = from === to ? input : addConvolution(graph, input, { ...convolution, kernel: 1 });
  return graph.addNode('Relu', [graph.addNode('Add', [second, around])]);
}
