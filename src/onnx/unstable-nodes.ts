import type { OnnxGraph, OnnxModel, OnnxNode } from './onnx-model.ts';
import { subgraphsOf } from './walk-model.ts';

/** A node whose result is not a function of its inputs alone. */
export interface UnstableNode {
  /** Its name, or what it gives when it has none; behind the name of the function that it is in, if any. */
  readonly label: string;
  readonly operator: string;
  readonly kind: 'random' | 'training';
}

const RANDOM_OPERATORS = new Set([
  'RandomNormal',
  'RandomUniform',
  'RandomNormalLike',
  'RandomUniformLike',
  'Multinomial',
  'Bernoulli',
]);
const STANDARD_DOMAINS = new Set(['', 'ai.onnx']);
/** Third input of Dropout. */
const TRAINING_MODE_INPUT = 2;

/**
 * Nodes that draw random numbers, and those that were left in training mode: a Dropout that drops at random, and a
 * BatchNormalization that takes the statistics of the batch at hand and changes its running ones with each run.
 * A seed makes no difference: ONNX Runtime sets it once, so that each run of a session goes on in the sequence.
 * Nodes inside of control flow and of the model's own functions are found too.
 */
export function findUnstableNodes({ graph, functions }: OnnxModel): UnstableNode[] {
  return [
    ...findInGraph(graph, new Set()),
    ...functions.flatMap(({ name, nodes }) =>
      findInGraph({ inputs: [], outputs: [], initializers: [], nodes }, new Set()).map((found) => ({
        ...found,
        label: `${name}/${found.label}`,
      })),
    ),
  ];
}

/** @param outerTruths names of constants that are true in the graphs around this one. */
function findInGraph(graph: OnnxGraph, outerTruths: ReadonlySet<string>): UnstableNode[] {
  const truths = new Set([...outerTruths, ...trueConstants(graph)]);
  return graph.nodes.flatMap((node) => {
    const kind = STANDARD_DOMAINS.has(node.domain) ? instabilityOf(node, truths) : undefined;
    const own = kind === undefined ? [] : [{ label: labelOf(node), operator: node.operator, kind }];
    return [...own, ...subgraphsOf(node).flatMap((inner) => findInGraph(inner, truths))];
  });
}

function trueConstants({ initializers, nodes }: OnnxGraph): string[] {
  return [
    ...initializers.filter(({ isTrue }) => isTrue).map(({ name }) => name),
    ...nodes
      .filter(
        ({ operator, attributes }) =>
          operator === 'Constant' && attributes.some(({ tensor }) => tensor?.isTrue),
      )
      .flatMap(({ outputs }) => outputs),
  ];
}

function instabilityOf(node: OnnxNode, truths: ReadonlySet<string>): UnstableNode['kind'] | undefined {
  if (RANDOM_OPERATORS.has(node.operator)) {
    return 'random';
  }
  switch (node.operator) {
    case 'Dropout':
      return truths.has(node.inputs[TRAINING_MODE_INPUT] ?? '') ? 'training' : undefined;
    case 'BatchNormalization':
      return node.attributes.some(({ name, integer }) => name === 'training_mode' && integer === 1)
        ? 'training'
        : undefined;
    default:
      return undefined;
  }
}

function labelOf({ name, operator, outputs }: OnnxNode): string {
  return name === '' ? `${operator} of output ${outputs[0] ?? ''}` : name;
}
