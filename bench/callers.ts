import type { InferenceEngine } from '../src/engine/inference-engine.ts';
import type { InferenceRequest } from '../src/inference/request.ts';
import type { BenchModel } from './models/write-repository.ts';

/** Callers that each ask for one row, and for the next when they have the answer, until they are stopped. */
export interface Callers {
  /** Rows answered so far. */
  readonly rows: number;
  /** Resolves when so many rows are answered. @throws what a request failed with. */
  reach(rows: number): Promise<void>;
  /** Resolves when every caller has its last answer. @throws what a request failed with. */
  stop(): Promise<void>;
}

export function startCallers(engine: InferenceEngine, model: BenchModel, count: number): Callers {
  const request = createRequest(model);
  let rows = 0;
  let stopped = false;
  let goal = { rows: Number.POSITIVE_INFINITY, reached: () => {} };
  const call = async (): Promise<void> => {
    while (!stopped) {
      await engine.infer(request);
      rows += 1;
      if (rows === goal.rows) {
        goal.reached();
      }
    }
  };
  const ended = Promise.all(Array.from({ length: count }, call));
  return {
    get rows() {
      return rows;
    },
    async reach(rowsToReach) {
      const reached = new Promise<void>((resolve) => {
        goal = { rows: rowsToReach, reached: resolve };
      });
      await Promise.race([reached, ended]);
    },
    async stop() {
      stopped = true;
      await ended;
    },
  };
}

function createRequest({ name, input: { name: inputName, dims } }: BenchModel): InferenceRequest {
  const data = new Float32Array(dims.reduce((product, dim) => product * dim, 1)).fill(0.5);
  return { modelName: name, inputs: new Map([[inputName, { datatype: 'FP32', shape: [1, ...dims], data }]]) };
}
