import { MillraceError } from '../base/errors.ts';
import type { ByteFile } from './byte-file.ts';
import { FIELDS } from './model-fields.ts';
import type { OnnxFunction, OnnxModel } from './onnx-model.ts';
import { type GraphParts, newGraphParts, readGraphInto, readNode } from './read-graph.ts';
import { WireMessage } from './wire-message.ts';

const STANDARD_DOMAIN = 'ai.onnx';
/** Models of IR version 3 on must say which operator sets they use. */
const FIRST_IR_WITH_OPSETS = 3;

/**
 * Reads the structure of a model file; the weights are skipped, not read.
 * @throws {MillraceError} MODEL_FILE_INVALID where it is no protobuf, is cut short, or holds no graph.
 */
export function readOnnxModel(file: ByteFile): OnnxModel {
  const fields = FIELDS.ModelProto;
  let irVersion = 0;
  let graph: GraphParts | undefined;
  const opsets = new Map<string, number>();
  const functions: OnnxFunction[] = [];
  const message = WireMessage.ofFile(file);
  for (const field of message.fields()) {
    if (field.kind === 'varint' && field.number === fields.ir_version) {
      irVersion = field.value;
    } else if (field.kind !== 'bytes') {
    } else if (field.number === fields.graph) {
      graph ??= newGraphParts();
      readGraphInto(graph, message.message(field));
    } else if (field.number === fields.opset_import) {
      const { domain, version } = readOpset(message.message(field));
      opsets.set(domain, version);
    } else if (field.number === fields.functions) {
      functions.push(readFunction(message.message(field)));
    }
  }
  if (graph === undefined) {
    throw invalid(file, 'holds no graph');
  }
  if (irVersion >= FIRST_IR_WITH_OPSETS && opsets.size === 0) {
    throw invalid(
      file,
      'does not say which opset it uses: it is cut short, or was not written by an exporter',
    );
  }
  return { irVersion, opsets, graph, functions };
}

function readOpset(message: WireMessage): { domain: string; version: number } {
  let domain = '';
  let version = 0;
  for (const field of message.fields()) {
    if (field.kind === 'bytes' && field.number === FIELDS.OperatorSetIdProto.domain) {
      domain = message.text(field);
    } else if (field.kind === 'varint' && field.number === FIELDS.OperatorSetIdProto.version) {
      version = field.value;
    }
  }
  return { domain: domain || STANDARD_DOMAIN, version };
}

function readFunction(message: WireMessage): OnnxFunction {
  let name = '';
  const nodes = [];
  for (const field of message.fields()) {
    if (field.kind === 'bytes' && field.number === FIELDS.FunctionProto.name) {
      name = message.text(field);
    } else if (field.kind === 'bytes' && field.number === FIELDS.FunctionProto.node) {
      nodes.push(readNode(message.message(field)));
    }
  }
  return { name, nodes };
}

function invalid(file: ByteFile, problem: string): MillraceError {
  return new MillraceError(
    'MODEL_FILE_INVALID',
    `model file '${file.path}' (${file.size} bytes) is not a valid ONNX model: it ${problem}`,
    { details: { model_file: file.path } },
  );
}
