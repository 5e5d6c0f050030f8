import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { BATCH_ROWS, type BenchModel, INSTANCES } from './models/write-repository.ts';

/**
 * Worker threads that call `session.run` and do nothing else, each with its own session of one thread: the most that
 * ONNX Runtime gives on as many cores.
 */
export interface RawLoops {
  /** Runs all loops side by side. @returns rows/s of all together. */
  measure(milliseconds: number, batchRows?: number): Promise<number>;
  close(): Promise<void>;
}

export async function openRawLoops({ modelPath, input }: BenchModel): Promise<RawLoops> {
  const workers = Array.from(
    { length: INSTANCES },
    () =>
      new Worker(new URL('./raw-loop-worker.mjs', import.meta.url), {
        workerData: { modelPath, inputName: input.name, dims: input.dims },
        execArgv: [],
      }),
  );
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  return {
    async measure(milliseconds, batchRows = BATCH_ROWS) {
      const rates = await Promise.all(
        workers.map(async (worker): Promise<number> => {
          const answer = once(worker, 'message');
          worker.postMessage({ batchRows, milliseconds });
          const [rowsPerSecond] = await answer;
          return rowsPerSecond;
        }),
      );
      return rates.reduce((sum, rate) => sum + rate, 0);
    },
    async close() {
      await Promise.all(
        workers.map((worker) => {
          worker.postMessage('close');
          return once(worker, 'exit');
        }),
      );
    },
  };
}
