import { MillraceError } from '../../base/errors.ts';
import type { ModelSignature, SignatureTensor } from '../../model-config/model-config.ts';
import { inspectOnnxFile, type OnnxInspection } from '../../onnx/inspect-onnx-file.ts';
import type { OnnxValue } from '../../onnx/onnx-model.ts';
import type { ModelInspection } from '../backend.ts';
import { ORT_TYPES } from './ort-types.ts';

/** `Backend.inspectModel` for ONNX files. */
export async function inspectModel(modelPath: string): Promise<ModelInspection> {
  const inspection = inspectOnnxFile(modelPath);
  const signature = createSignature(modelPath, inspection);
  return {
    signature,
    warnings: describeOddities(inspection, signature),
    nondeterministicNodes: inspection.unstableNodes.map(({ label }) => label),
    files: inspection.files,
  };
}

function createSignature(modelPath: string, { inputs, outputs }: OnnxInspection): ModelSignature {
  const isTensor = ({ type }: OnnxValue): boolean => type.kind === 'tensor';
  return {
    inputs: inputs.map((value) => signatureTensor(modelPath, 'input', value)),
    outputs: outputs.filter(isTensor).map((value) => signatureTensor(modelPath, 'output', value)),
    nonTensorOutputs: outputs.filter((value) => !isTensor(value)).map(({ name }) => name),
  };
}

function signatureTensor(
  modelPath: string,
  direction: 'input' | 'output',
  { name, type }: OnnxValue,
): SignatureTensor {
  if (type.kind !== 'tensor') {
    throw unsupported(
      modelPath,
      `${direction} '${name}' is no tensor (${type.kind}): nothing else can be given to a model`,
      name,
    );
  }
  const { datatype } = type.elementType;
  if (datatype === undefined || ORT_TYPES[datatype] === undefined) {
    throw unsupported(
      modelPath,
      `${direction} '${name}' has datatype ${type.elementType.name}, which ONNX Runtime for Node cannot carry: export ` +
        'the model with a Cast to FLOAT, FLOAT16 or an integer of 8 bits and more',
      name,
    );
  }
  return { name, datatype, shape: type.dims };
}

function unsupported(modelPath: string, problem: string, tensor: string): MillraceError {
  return new MillraceError('MODEL_UNSUPPORTED', `model file '${modelPath}': ${problem}`, {
    details: { model_file: modelPath, tensor },
  });
}

function describeOddities(
  { inputs, outputs, unstableNodes }: OnnxInspection,
  { nonTensorOutputs }: ModelSignature,
): string[] {
  return [
    ...unstableNodes.map(({ kind, operator, label }) =>
      kind === 'random'
        ? `node '${label}' (${operator}) draws random numbers: results differ from run to run`
        : `node '${label}' (${operator}) is in training mode: results differ from run to run; export the model for inference`,
    ),
    ...outputs
      .filter(({ name }) => nonTensorOutputs.includes(name))
      .map(
        ({ name, type }) =>
          `output '${name}' is no tensor (${type.kind}) and cannot be asked for; export the model without it (skl2onnx: options={"zipmap": False})`,
      ),
    ...[...inputs, ...outputs]
      .filter(({ type }) => type.kind === 'tensor' && type.dims === undefined)
      .map(
        ({ name }) =>
          `'${name}' has no shape in the model file: the dims of config.pbtxt are not checked against it`,
      ),
  ];
}
