import { setTimeout as sleep } from 'node:timers/promises';
import type { InferenceEngine } from '../../src/engine/inference-engine.ts';
import { startCallers } from '../callers.ts';
import { type Figure, toPercent } from '../figures.ts';
import { type BenchModel, type ModelName, writeModel } from '../models/write-repository.ts';
import type { Part, PartContext } from '../part.ts';
import { createEngine } from '../product.ts';
import { openRawLoops } from '../raw-loop.ts';
import { createSeries, takeTurns } from '../take-turns.ts';

const CALLERS = 64;

/** Callers of single rows on the engine, which must batch them, against the raw loops, which have batches. */
export const engine: Part = {
  name: 'engine',
  async run(context) {
    const mlp = { model: 'mlp', label: 'MLP', milliseconds: 2000, atLeast: 92 } as const;
    const resnet = { model: 'resnet', label: 'convolution net', milliseconds: 5000, atLeast: 97 } as const;
    return { figures: [...(await compare(context, mlp)), ...(await compare(context, resnet))], notes: [] };
  },
};

interface Comparison {
  readonly model: ModelName;
  readonly label: string;
  /** Length of one measurement: many batches, since the last one is counted or not. */
  readonly milliseconds: number;
  /** Percent of the raw loops. */
  readonly atLeast: number;
}

async function compare(
  { folder, rounds }: PartContext,
  { model: name, label, milliseconds, atLeast }: Comparison,
): Promise<Figure[]> {
  const model = writeModel(folder, name);
  const loops = await openRawLoops(model);
  const inferenceEngine = await createEngine(folder);
  await inferenceEngine.loadModel(name);
  const viaEngine = createSeries(`engine, ${label}`, () =>
    measureEngine(inferenceEngine, model, milliseconds),
  );
  const raw = createSeries(`raw loops, ${label}`, () => loops.measure(milliseconds));
  await takeTurns(rounds, [viaEngine, raw]);
  const { executionCount, inferenceCount } = inferenceEngine.modelStatistics(name);
  await inferenceEngine.close();
  await loops.close();
  return [
    {
      what: `${viaEngine.name}, of raw loops`,
      unit: '%',
      values: toPercent(viaEngine.values, raw.values),
      target: { atLeast },
    },
    ...[viaEngine, raw].map(
      (series): Figure => ({ what: series.name, unit: 'rows/s', values: series.values }),
    ),
    { what: `${viaEngine.name}, mean batch`, unit: 'rows', values: [inferenceCount / executionCount] },
  ];
}

/** @returns rows/s. */
async function measureEngine(
  inferenceEngine: InferenceEngine,
  model: BenchModel,
  milliseconds: number,
): Promise<number> {
  const callers = startCallers(inferenceEngine, model, CALLERS);
  await sleep(milliseconds / 4);
  const rowsBefore = callers.rows;
  const start = performance.now();
  await sleep(milliseconds);
  const rowsPerSecond = ((callers.rows - rowsBefore) / (performance.now() - start)) * 1000;
  await callers.stop();
  return rowsPerSecond;
}
