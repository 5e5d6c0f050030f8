import { MillraceError } from '../base/errors.ts';
import { openByteFile } from './byte-file.ts';
import { findExternalFiles } from './external-data.ts';
import { describeFileKind, FILE_KIND_BYTES } from './file-kind.ts';
import type { OnnxValue } from './onnx-model.ts';
import { readOnnxModel } from './read-onnx-model.ts';
import { findUnstableNodes, type UnstableNode } from './unstable-nodes.ts';
import { walkTensors } from './walk-model.ts';

/** What a model file says of itself. */
export interface OnnxInspection {
  readonly irVersion: number;
  /** Version of each operator set by domain; the standard one is `ai.onnx`. */
  readonly opsets: ReadonlyMap<string, number>;
  /** Inputs that must be given: those without a constant of their name. */
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly unstableNodes: readonly UnstableNode[];
  /** The model file and its external data, absolute paths. */
  readonly files: readonly string[];
}

/**
 * Reads what an ONNX file declares, without a runtime and without its weights.
 * @param modelPath absolute.
 * @throws {MillraceError} MODEL_FILE_INVALID when the file is no ONNX model, is cut short, or its external data is
 *   missing, too short or outside of its folder.
 */
export function inspectOnnxFile(modelPath: string): OnnxInspection {
  const file = openByteFile(modelPath);
  try {
    const kind = describeFileKind(file.bytes(0, Math.min(file.size, FILE_KIND_BYTES)));
    if (file.size === 0 || kind !== undefined) {
      const problem = file.size === 0 ? 'is empty' : `(${file.size} bytes) looks like ${kind}`;
      throw new MillraceError('MODEL_FILE_INVALID', `model file '${modelPath}' ${problem}`, {
        details: { model_file: modelPath },
      });
    }
    const model = readOnnxModel(file);
    const constants = new Set(model.graph.initializers.map(({ name }) => name));
    return {
      irVersion: model.irVersion,
      opsets: model.opsets,
      inputs: model.graph.inputs.filter(({ name }) => !constants.has(name)),
      outputs: model.graph.outputs,
      unstableNodes: findUnstableNodes(model),
      files: [modelPath, ...findExternalFiles(modelPath, walkTensors(model))],
    };
  } finally {
    file.close();
  }
}
