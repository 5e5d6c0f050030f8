import { startCallers } from '../callers.ts';
import { writeModel } from '../models/write-repository.ts';
import type { Part } from '../part.ts';
import { createEngine } from '../product.ts';

const CYCLES = 100;
const CALLERS = 8;
const ROWS_A_CYCLE = 200;

/** O08: a model of 20 MB is loaded, used and unloaded again and again, while another is in use all the time. */
export const modelCycles: Part = {
  name: 'model-cycles',
  async run({ folder }) {
    const [large, light] = [writeModel(folder, 'large'), writeModel(folder, 'light')];
    const engine = await createEngine(folder);
    await engine.loadModel(light.name);
    const background = startCallers(engine, light, 1);
    const residentMb: number[] = [];
    for (let cycle = 1; cycle <= CYCLES; cycle++) {
      await engine.loadModel(large.name);
      const callers = startCallers(engine, large, CALLERS);
      await callers.reach(ROWS_A_CYCLE);
      await callers.stop();
      await engine.unloadModel(large.name);
      residentMb.push(process.memoryUsage.rss() / 2 ** 20);
    }
    await background.stop();
    await engine.close();
    const what = `${CYCLES} times load, use and unload a model of 20 MB`;
    return {
      figures: [
        {
          what: `${what}: growth of memory a cycle`,
          unit: 'MB',
          values: [growthPerCycle(residentMb)],
          target: { atMost: 1 },
        },
        { what: `${what}: memory after a cycle`, unit: 'MB', values: residentMb },
      ],
      notes: [],
    };
  },
};

/**
 * From the second quarter to the last, by the least memory of each: what a cycle leaves behind stays in the least,
 * while free memory that the allocator of the C library keeps for a while does not.
 */
function growthPerCycle(residentMb: readonly number[]): number {
  const quarter = residentMb.length / 4;
  const second = Math.min(...residentMb.slice(quarter, 2 * quarter));
  const last = Math.min(...residentMb.slice(3 * quarter));
  return (last - second) / (2 * quarter);
}
