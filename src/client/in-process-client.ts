import type { InferenceEngine } from '../engine/inference-engine.ts';
import type { InputSpec, OutputSpec } from '../model-config/model-config.ts';
import type { InferClient, ModelMetadata, TensorMetadata } from './infer-client.ts';

/** A client of an engine in this process. Closing it closes nothing: the engine stays its maker's. */
export function createInProcessClient(engine: InferenceEngine): InferClient {
  return {
    modelMetadata: async (name, version) => describeModel(engine, name, version),
    infer: (request, signal) => engine.infer(request, signal),
    executionStatistics(modelName) {
      const { executionCount, inferenceCount } = engine.modelStatistics(modelName);
      return { executions: executionCount, rows: inferenceCount };
    },
    close: async () => {},
  };
}

function describeModel(engine: InferenceEngine, name: string, version: bigint | undefined): ModelMetadata {
  const { facts } = engine.findModel(name, version);
  return {
    name,
    version: facts.version,
    sha256: facts.sha256,
    maxBatchSize: facts.config.maxBatchSize,
    inputs: facts.config.inputs.map((input) => describeTensor(input, input.optional)),
    outputs: facts.config.outputs.map((output) => describeTensor(output, false)),
    nondeterministicNodes: facts.nondeterministicNodes,
  };
}

function describeTensor({ name, datatype, dims }: InputSpec | OutputSpec, optional: boolean): TensorMetadata {
  return { name, datatype, dims, optional };
}
