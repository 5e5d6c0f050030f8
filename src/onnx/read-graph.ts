import { FIELDS } from './model-fields.ts';
import type { OnnxAttribute, OnnxGraph, OnnxNode, OnnxTensor, OnnxValue } from './onnx-model.ts';
import { readSparseTensor, readTensor } from './read-tensor.ts';
import { readValue } from './read-value.ts';
import type { WireMessage } from './wire-message.ts';

/** An `OnnxGraph` while it is read: protobuf lets a message come in several pieces, which add up. */
export interface GraphParts extends OnnxGraph {
  readonly inputs: OnnxValue[];
  readonly outputs: OnnxValue[];
  readonly initializers: OnnxTensor[];
  readonly nodes: OnnxNode[];
}

export function newGraphParts(): GraphParts {
  return { inputs: [], outputs: [], initializers: [], nodes: [] };
}

/** Reads a `GraphProto`, adding to what earlier pieces of it gave. */
export function readGraphInto(graph: GraphParts, message: WireMessage): void {
  const fields = FIELDS.GraphProto;
  for (const field of message.fields()) {
    if (field.kind !== 'bytes') {
      continue;
    }
    switch (field.number) {
      case fields.node:
        graph.nodes.push(readNode(message.message(field)));
        break;
      case fields.initializer:
        graph.initializers.push(readTensor(message.message(field)));
        break;
      case fields.sparse_initializer:
        graph.initializers.push(...readSparseTensor(message.message(field)));
        break;
      case fields.input:
        graph.inputs.push(readValue(message.message(field)));
        break;
      case fields.output:
        graph.outputs.push(readValue(message.message(field)));
        break;
    }
  }
}

/** Reads a `NodeProto`. */
export function readNode(message: WireMessage): OnnxNode {
  const fields = FIELDS.NodeProto;
  let name = '';
  let operator = '';
  let domain = '';
  const inputs: string[] = [];
  const outputs: string[] = [];
  const attributes: OnnxAttribute[] = [];
  for (const field of message.fields()) {
    if (field.kind !== 'bytes') {
      continue;
    }
    switch (field.number) {
      case fields.input:
        inputs.push(message.text(field));
        break;
      case fields.output:
        outputs.push(message.text(field));
        break;
      case fields.name:
        name = message.text(field);
        break;
      case fields.op_type:
        operator = message.text(field);
        break;
      case fields.domain:
        domain = message.text(field);
        break;
      case fields.attribute:
        attributes.push(readAttribute(message.message(field)));
        break;
    }
  }
  return { name, operator, domain, inputs, outputs, attributes };
}

function readAttribute(message: WireMessage): OnnxAttribute {
  const fields = FIELDS.AttributeProto;
  let name = '';
  let integer: number | undefined;
  let tensor: OnnxTensor | undefined;
  const graphs: OnnxGraph[] = [];
  for (const field of message.fields()) {
    if (field.kind === 'varint' && field.number === fields.i) {
      integer = field.value;
    } else if (field.kind !== 'bytes') {
    } else if (field.number === fields.name) {
      name = message.text(field);
    } else if (field.number === fields.t) {
      tensor = readTensor(message.message(field));
    } else if (field.number === fields.g || field.number === fields.graphs) {
      const graph = newGraphParts();
      readGraphInto(graph, message.message(field));
      graphs.push(graph);
    }
  }
  return { name, integer, tensor, graphs };
}
