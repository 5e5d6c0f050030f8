import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';
import { createRandom } from '../random.ts';

const PROTO_FILE = fileURLToPath(new URL('../../proto/onnx-ml.proto', import.meta.url));
const MODEL = new protobuf.Root().loadSync(PROTO_FILE, { keepCase: true }).lookupType('onnx.ModelProto');

/** Numbers of `TensorProto.DataType` and `AttributeProto.AttributeType`. @see ../../proto/onnx-ml.proto */
const FLOAT = 1;
const INT = 2;
const INTS = 7;

/** A value of a graph: its name, and the shape of one row of it. */
export interface GraphValue {
  readonly name: string;
  readonly dims: readonly number[];
}

type Attributes = Readonly<Record<string, number | readonly number[]>>;

/** A graph of FP32 operators with random weights, every value `[batch, ...dims]` with a free batch dimension. */
export interface OnnxGraph {
  /** Adds a node and gives the name of its only output, made up where none is given. */
  addNode(opType: string, inputs: readonly string[], attributes?: Attributes, outputName?: string): string;
  /** Adds a weight that keeps the size of what flows through it. @param fanIn values that each result sums up. */
  addWeight(shape: readonly number[], fanIn: number): string;
  /** The bytes of a model file. */
  encode(input: GraphValue, output: GraphValue): Uint8Array;
}

export function createOnnxGraph(): OnnxGraph {
  const random = createRandom(1);
  const nodes: unknown[] = [];
  const weights: unknown[] = [];
  return {
    addNode(opType, inputs, attributes = {}, output = `${opType}_${nodes.length}`) {
      nodes.push({
        op_type: opType,
        input: inputs,
        output: [output],
        attribute: Object.entries(attributes).map(([name, value]) =>
          typeof value === 'number' ? { name, type: INT, i: value } : { name, type: INTS, ints: value },
        ),
      });
      return output;
    },
    addWeight(shape, fanIn) {
      const size = shape.reduce((product, dim) => product * dim, 1);
      const bound = Math.sqrt(6 / fanIn);
      const values = Float32Array.from({ length: size }, () => (random.next() * 2 - 1) * bound);
      const name = `weight_${weights.length}`;
      weights.push({ name, data_type: FLOAT, dims: shape, raw_data: new Uint8Array(values.buffer) });
      return name;
    },
    encode(input, output) {
      const graph = {
        name: 'bench',
        node: nodes,
        initializer: weights,
        input: [describeValue(input)],
        output: [describeValue(output)],
      };
      return MODEL.encode(
        MODEL.fromObject({ ir_version: 8, opset_import: [{ domain: '', version: 17 }], graph }),
      ).finish();
    },
  };
}

function describeValue({ name, dims }: GraphValue): unknown {
  const dim = [{ dim_param: 'batch' }, ...dims.map((size) => ({ dim_value: size }))];
  return { name, type: { tensor_type: { elem_type: FLOAT, shape: { dim } } } };
}
