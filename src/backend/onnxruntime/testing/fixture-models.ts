import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { autoCompleteConfig } from '../../../model-config/auto-complete.ts';
import { parseModelConfig } from '../../../model-config/model-config-text.ts';
import { resolveModelConfig } from '../../../model-config/resolve-model-config.ts';
import { validateAgainstModel } from '../../../model-config/validate-against-model.ts';
import { allocateData, assembleTensor } from '../../../tensor/create-tensor.ts';
import type { Datatype } from '../../../tensor/datatype.ts';
import { float16FromNumber } from '../../../tensor/float16.ts';
import type { Tensor } from '../../../tensor/tensor.ts';
import type { InstanceSpec } from '../../backend.ts';
import { planInstances } from '../../instance-plan.ts';
import { createOnnxRuntimeBackend } from '../onnxruntime-backend.ts';

const FOLDER = new URL('../../../../test/fixtures/models/', import.meta.url);

/** Path of a file in test/fixtures/models. */
export function fixturePath(fileName: string): string {
  return fileURLToPath(new URL(fileName, FOLDER));
}

/** What the engine would ask of the backend to make the first instance of a model file under this config.pbtxt. */
export async function planFixture(modelPath: string, configText = ''): Promise<InstanceSpec> {
  const backend = createOnnxRuntimeBackend();
  const { signature } = await backend.inspectModel(modelPath);
  const defaults = { modelName: 'fixture', backend: backend.name, maxBatchSize: 4 };
  const message = autoCompleteConfig(parseModelConfig(configText, 'config.pbtxt'), signature, defaults);
  const config = resolveModelConfig(message, {
    modelName: defaults.modelName,
    backend,
    defaultModelFilename: backend.defaultModelFilename,
    labelFiles: new Map(),
  });
  validateAgainstModel(config, signature);
  const [spec] = planInstances(config, { cores: 1 }).specs;
  if (spec === undefined) {
    throw new Error('no instance was planned');
  }
  return { ...spec, config, modelPath };
}

/** A tensor as cases.json writes it: 64-bit integers, non-finite numbers and -0 as text. */
interface CaseTensor {
  readonly datatype: Exclude<Datatype, 'BYTES'> | 'STRING';
  readonly shape: readonly number[];
  readonly data: readonly (number | string | boolean)[];
}

interface ModelCase {
  readonly inputs: Readonly<Record<string, CaseTensor>>;
  readonly outputs: Readonly<Record<string, CaseTensor>>;
}

/** cases.json: inputs of each fixture model, and what ONNX Runtime under Python gave for them. */
export function readModelCases(): Readonly<Record<string, readonly ModelCase[]>> {
  return JSON.parse(readFileSync(fixturePath('cases.json'), 'utf8'));
}

export function tensorOfCase({ datatype, shape, data }: CaseTensor): Tensor {
  if (datatype === 'STRING') {
    return assembleTensor(
      'BYTES',
      shape,
      data.map((text) => new TextEncoder().encode(String(text))),
    );
  }
  const target = allocateData(datatype, data.length);
  for (const [index, value] of data.entries()) {
    if (target instanceof BigInt64Array || target instanceof BigUint64Array) {
      target[index] = BigInt(value);
    } else {
      target[index] = datatype === 'FP16' ? float16FromNumber(Number(value)) : Number(value);
    }
  }
  return assembleTensor(datatype, shape, target);
}
