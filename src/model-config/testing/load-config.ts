import { MillraceError } from '../../base/errors.ts';
import { autoCompleteConfig } from '../auto-complete.ts';
import type { ModelConfig, ModelSignature, SignatureTensor } from '../model-config.ts';
import { parseModelConfig } from '../model-config-text.ts';
import { type ConfigContext, resolveModelConfig } from '../resolve-model-config.ts';
import { validateAgainstModel } from '../validate-against-model.ts';

/** A tensor of a model file; FP32 unless said otherwise. */
export function signatureTensor(
  name: string,
  shape: readonly number[],
  datatype: SignatureTensor['datatype'] = 'FP32',
): SignatureTensor {
  return { name, datatype, shape };
}

/** What a model file with one input `x` and one output `y` declares. */
export function signatureOf(x: readonly number[], y: readonly number[]): ModelSignature {
  return { inputs: [signatureTensor('x', x)], outputs: [signatureTensor('y', y)], nonTensorOutputs: [] };
}

const DEMO = {
  modelName: 'demo',
  backend: { name: 'onnxruntime', platforms: ['onnxruntime_onnx'] },
  defaultModelFilename: 'model.onnx',
  labelFiles: new Map(),
} satisfies ConfigContext;

/** A config of model 'demo' by itself: parsed and resolved, without a model file. */
export function resolveText(text: string, labelFiles: ConfigContext['labelFiles'] = new Map()): ModelConfig {
  return resolveModelConfig(parseModelConfig(text, 'config.pbtxt'), { ...DEMO, labelFiles });
}

/** The config of model 'demo' as a load would make it: parsed, completed, resolved, held against the model. */
export function loadText(text: string | undefined, signature: ModelSignature, maxBatchSize = 4): ModelConfig {
  const message = text === undefined ? undefined : parseModelConfig(text, 'config.pbtxt');
  const defaults = { modelName: DEMO.modelName, backend: DEMO.backend.name, maxBatchSize };
  const config = resolveModelConfig(autoCompleteConfig(message, signature, defaults), DEMO);
  validateAgainstModel(config, signature);
  return config;
}

/** Reason and text of the error that `run` throws, or `accepted`. */
export function outcomeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return error instanceof MillraceError ? `${error.reason} ${error.message}` : String(error);
  }
  return 'accepted';
}
