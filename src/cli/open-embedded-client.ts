import { createOnnxRuntimeBackend } from '../backend/onnxruntime/onnxruntime-backend.ts';
import { createInProcessClient } from '../client/in-process-client.ts';
import type { InferClient } from '../client/infer-client.ts';
import { createInferenceEngine } from '../engine/inference-engine.ts';

export interface EmbeddedModel {
  readonly modelRepository: string;
  readonly modelName: string;
  /** Largest request that will come: what a model without a config of its own batches up to. */
  readonly batchSize: number;
  readonly onNotice: (message: string) => void;
}

/**
 * A client of an engine in this process with one model loaded; closing it closes the engine.
 * @throws {MillraceError} when the model cannot be loaded.
 */
export async function openEmbeddedClient(model: EmbeddedModel): Promise<InferClient> {
  const engine = createInferenceEngine({
    modelRepositories: [model.modelRepository],
    backends: [createOnnxRuntimeBackend()],
    defaultMaxBatchSize: model.batchSize,
    splitOversize: true,
    onNotice: model.onNotice,
  });
  try {
    await engine.loadModel(model.modelName);
  } catch (error) {
    await engine.close();
    throw error;
  }
  return { ...createInProcessClient(engine), close: () => engine.close() };
}
