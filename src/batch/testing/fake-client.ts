import type { InferClient, ModelMetadata } from '../../client/infer-client.ts';
import type { InferenceRequest } from '../../inference/request.ts';
import type { InferenceResponse } from '../../inference/response.ts';
import { assembleTensor } from '../../tensor/create-tensor.ts';
import type { NamedTensors, Tensor } from '../../tensor/tensor.ts';

/** Input `x` FP32 [3]; outputs `sum` FP64 [1], `double` FP32 [3]. */
export const FAKE_MODEL: ModelMetadata = {
  name: 'fake',
  version: 1n,
  sha256: 'a'.repeat(64),
  maxBatchSize: 64,
  inputs: [{ name: 'x', datatype: 'FP32', dims: [3], optional: false }],
  outputs: [
    { name: 'sum', datatype: 'FP64', dims: [1], optional: false },
    { name: 'double', datatype: 'FP32', dims: [3], optional: false },
  ],
  nondeterministicNodes: [],
};

export interface FakeClientOptions {
  readonly model?: ModelMetadata;
  /** What a request gives, in place of `computeFake`. */
  readonly infer?: (request: InferenceRequest, signal: AbortSignal | undefined) => Promise<NamedTensors>;
}

/** A client of a model that needs no runtime, and that a test can make fail as it likes. */
export function createFakeClient({ model = FAKE_MODEL, infer }: FakeClientOptions = {}): InferClient {
  return {
    modelMetadata: async () => model,
    infer: async (request, signal): Promise<InferenceResponse> => ({
      modelName: model.name,
      modelVersion: model.version,
      outputs: await (infer ?? (async (request) => computeFake(request)))(request, signal),
      timings: {
        queueMicroseconds: 0,
        computeInputMicroseconds: 0,
        computeInferMicroseconds: 0,
        computeOutputMicroseconds: 0,
        batchRows: 1,
      },
    }),
    executionStatistics: () => undefined,
    close: async () => {},
  };
}

/** The values of `x` of a request, flat, three a row. */
export function valuesOf(request: InferenceRequest): readonly number[] {
  const x = request.inputs.get('x');
  return x?.datatype === 'FP32' ? [...x.data] : [];
}

/** What `FAKE_MODEL` gives. */
export function computeFake(request: InferenceRequest): NamedTensors {
  const values = valuesOf(request);
  const rows = values.length / 3;
  const sums = Array.from({ length: rows }, (_, row) =>
    values.slice(row * 3, row * 3 + 3).reduce((total, value) => total + value, 0),
  );
  const doubles = Float32Array.from(values, (value) => 2 * value);
  return new Map<string, Tensor>([
    ['sum', assembleTensor('FP64', [rows, 1], Float64Array.from(sums))],
    ['double', assembleTensor('FP32', [rows, 3], doubles)],
  ]);
}
