import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Figure, toRatios } from '../figures.ts';
import { type BenchModel, writeModel } from '../models/write-repository.ts';
import type { Part, PartContext } from '../part.ts';
import { writeRowsFile } from '../rows-file.ts';
import { runSubmit } from '../submit.ts';
import { createSeries, type Series, takeTurns } from '../take-turns.ts';

const COLUMNS = 64;
const LARGE_FILE_BYTES = 2_000_000_000;
/** A row of 64 numbers, on the average. */
const ROW_BYTES = 478;

/** Memory over a file that is far larger than it may take, and time as files grow. */
export const memory: Part = {
  name: 'memory',
  async run(context) {
    const model = writeModel(context.folder, 'light');
    return {
      figures: [...(await measureMemory(context, model)), ...(await measureGrowth(context, model))],
      notes: [],
    };
  },
};

async function measureMemory({ folder }: PartContext, model: BenchModel): Promise<Figure[]> {
  const inputFile = join(folder, 'large.csv');
  const bytes = writeRowsFile(inputFile, Math.ceil(LARGE_FILE_BYTES / ROW_BYTES), COLUMNS);
  console.error(`  a job over ${bytes.toLocaleString('en-US')} bytes`);
  const { residentMb, peakMb, seconds } = await runSubmit(folder, model, inputFile);
  rmSync(inputFile);
  if (peakMb === undefined) {
    return [];
  }
  const quarters = [0, 1, 2, 3].map((quarter) => meanOf(quarterOf(residentMb, quarter)));
  const [, second = Number.NaN, , last = Number.NaN] = quarters;
  const what = `batch job, light model, ${(bytes / 1e9).toFixed(1)} GB of CSV`;
  return [
    { what: `${what}, peak memory`, unit: 'MB', values: [peakMb], target: { atMost: 400 } },
    {
      what: `${what}, memory in the last quarter of the run over that in the second`,
      unit: 'times',
      values: [last / second],
      target: { atMost: 1.1 },
    },
    ...quarters.map(
      (value, index): Figure => ({
        what: `${what}, mean memory in quarter ${index + 1}`,
        unit: 'MB',
        values: [value],
      }),
    ),
    { what: `${what}, time`, unit: 's', values: [seconds] },
  ];
}

/** Time without that of a job over one row, which is starting, loading the model and ending. */
async function measureGrowth({ folder, rounds }: PartContext, model: BenchModel): Promise<Figure[]> {
  const createJob = (rows: number): Series => {
    const inputFile = join(folder, `${rows}.csv`);
    writeRowsFile(inputFile, rows, COLUMNS);
    return createSeries(
      `batch job, light model, ${rows.toLocaleString('en-US')} rows`,
      async () => (await runSubmit(folder, model, inputFile)).seconds,
    );
  };
  const oneRow = createJob(1);
  const tenth = createJob(200_000);
  const whole = createJob(2_000_000);
  await takeTurns(rounds, [oneRow, tenth, whole]);
  const withoutStart = ({ values }: Series): number[] =>
    values.map((seconds, round) => seconds - (oneRow.values[round] ?? Number.NaN));
  return [
    {
      what: 'time for 10 times the rows, start and exit left out',
      unit: 'times',
      values: toRatios(withoutStart(whole), withoutStart(tenth)),
      target: { between: [9.5, 10.5] },
    },
    {
      what: 'time for 10 times the rows, start and exit included',
      unit: 'times',
      values: toRatios(whole.values, tenth.values),
      target: { atMost: 10.5 },
    },
    ...[oneRow, tenth, whole].map(
      ({ name, values }): Figure => ({ what: `${name}, time`, unit: 's', values }),
    ),
  ];
}

function quarterOf(values: readonly number[], quarter: number): readonly number[] {
  return values.slice((values.length * quarter) / 4, (values.length * (quarter + 1)) / 4);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
