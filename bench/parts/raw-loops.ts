import { writeModel } from '../models/write-repository.ts';
import type { Part } from '../part.ts';
import { openRawLoops } from '../raw-loop.ts';
import { createSeries, takeTurns } from '../take-turns.ts';

/** What ONNX Runtime alone gives, at the batch sizes that batching arrives at. */
export const rawLoops: Part = {
  name: 'raw-loops',
  async run({ folder, rounds }) {
    const loops = await openRawLoops(writeModel(folder, 'mlp'));
    const series = [32, 16, 8].map((rows) =>
      createSeries(`raw loops, MLP, batches of ${rows}`, () => loops.measure(1000, rows)),
    );
    await takeTurns(rounds, series);
    await loops.close();
    return { figures: series.map(({ name, values }) => ({ what: name, unit: 'rows/s', values })), notes: [] };
  },
};
