import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMlp, createResidualNetwork, type Network } from './networks.ts';
import type { GraphValue } from './onnx-graph.ts';

/** The models that are measured. The largest, 20 MB, is for loading and unloading. */
const NETWORKS = {
  mlp: () => createMlp([64, 1024, 1024, 10]),
  mlp_16_inputs: () => createMlp([16, 1024, 1024, 10]),
  light: () => createMlp([64, 32, 4]),
  large: () => createMlp([64, 2200, 2200, 10]),
  resnet: () => createResidualNetwork(16),
} as const satisfies Record<string, () => Network>;

export type ModelName = keyof typeof NETWORKS;

/** Rows in the largest batch, and in every batch of the raw loops. */
export const BATCH_ROWS = 32;
/** Instances of each model, and workers of the raw loops. */
export const INSTANCES = 2;

export interface BenchModel {
  readonly name: ModelName;
  /** Folder of the model repository it is in. */
  readonly repository: string;
  readonly modelPath: string;
  readonly input: GraphValue;
}

/** Makes one of the models, the same bytes each time, in a model repository. */
export function writeModel(repository: string, name: ModelName): BenchModel {
  const { file, input } = NETWORKS[name]();
  const versionFolder = join(repository, name, '1');
  const modelPath = join(versionFolder, 'model.onnx');
  mkdirSync(versionFolder, { recursive: true });
  writeFileSync(modelPath, file);
  writeFileSync(join(repository, name, 'config.pbtxt'), CONFIG);
  return { name, repository, modelPath, input };
}

const CONFIG = `backend: "onnxruntime"
max_batch_size: ${BATCH_ROWS}
instance_group [ { kind: KIND_CPU, count: ${INSTANCES} } ]
dynamic_batching { }
`;
