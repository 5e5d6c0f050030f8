import { join } from 'node:path';
import { type Figure, toPercent, toRatios } from '../figures.ts';
import { type ModelName, writeModel } from '../models/write-repository.ts';
import type { Part, PartContext } from '../part.ts';
import { preparePython, runPythonScript, type ScriptOptions } from '../python/python-script.ts';
import { openRawLoops } from '../raw-loop.ts';
import { writeRowsFile } from '../rows-file.ts';
import type { CommandRun } from '../run-command.ts';
import { runSubmit } from '../submit.ts';
import { createSeries, takeTurns } from '../take-turns.ts';

/** A whole `millrace submit`, its start and exit included, against the raw loops and against Python scripts. */
export const batchJob: Part = {
  name: 'batch-job',
  async run(context) {
    const versions = preparePython();
    const figures: Figure[] = [];
    for (const job of LONG_JOBS) {
      figures.push(...(await compareWithRawLoops(context, job)));
    }
    for (const job of COMMON_JOBS) {
      figures.push(...(await compareWithPython(context, job, versions === undefined ? [] : job.scripts)));
    }
    return { figures, notes: [versions ?? 'There was no Python to compare with.'] };
  },
};

interface Job {
  readonly model: ModelName;
  readonly label: string;
  readonly rows: number;
  /** Percent of the raw loops, or speed as a multiple of a Python script's. */
  readonly atLeast?: number;
}

interface CommonJob extends Job {
  /** The target is held against those that run ONNX Runtime on one thread, as an instance does. */
  readonly scripts: readonly ScriptOptions[];
}

/** So many rows that starting and ending takes few percent of the time. */
const LONG_JOBS: readonly Job[] = [
  { model: 'mlp', label: 'MLP', rows: 500_000, atLeast: 90 },
  { model: 'mlp_16_inputs', label: 'MLP of 16 inputs', rows: 500_000, atLeast: 90 },
];

const CSV_SCRIPT: ScriptOptions = { reader: 'csv', threads: 1 };

const COMMON_JOBS: readonly CommonJob[] = [
  { model: 'mlp', label: 'MLP', rows: 2000, scripts: [CSV_SCRIPT] },
  {
    model: 'mlp',
    label: 'MLP',
    rows: 100_000,
    atLeast: 3,
    scripts: [CSV_SCRIPT, { reader: 'csv', threads: 0 }],
  },
  {
    model: 'light',
    label: 'light model',
    rows: 200_000,
    atLeast: 2,
    scripts: [CSV_SCRIPT, { reader: 'pandas', threads: 1 }],
  },
];

async function compareWithRawLoops({ folder, rounds }: PartContext, job: Job): Promise<Figure[]> {
  const { model, inputFile, label } = prepareJob(folder, job);
  const loops = await openRawLoops(model);
  const submit = createSeries(`batch job, ${label}`, async () =>
    toRate(job, await runSubmit(folder, model, inputFile)),
  );
  const raw = createSeries(`raw loops, ${job.label}`, () => loops.measure(3000));
  await takeTurns(rounds, [submit, raw]);
  await loops.close();
  return [
    {
      what: `${submit.name}, of raw loops`,
      unit: '%',
      values: toPercent(submit.values, raw.values),
      ...targetOf(job),
    },
    { what: submit.name, unit: 'rows/s', values: submit.values },
    { what: raw.name, unit: 'rows/s', values: raw.values },
  ];
}

async function compareWithPython(
  { folder, rounds }: PartContext,
  job: Job,
  scripts: readonly ScriptOptions[],
): Promise<Figure[]> {
  const { model, inputFile, label } = prepareJob(folder, job);
  const submit = createSeries(`batch job, ${label}`, async () =>
    toRate(job, await runSubmit(folder, model, inputFile)),
  );
  const python = scripts.map((script) => ({
    script,
    series: createSeries(`${describeScript(script)}, ${label}`, async () =>
      toRate(job, await runPythonScript(folder, model.modelPath, inputFile, script)),
    ),
  }));
  await takeTurns(rounds, [submit, ...python.map(({ series }) => series)]);
  return [
    ...python.map(
      ({ script, series }): Figure => ({
        what: `${submit.name}, over ${describeScript(script)}`,
        unit: 'times',
        values: toRatios(submit.values, series.values),
        ...(script.threads === 1 ? targetOf(job) : {}),
      }),
    ),
    { what: submit.name, unit: 'rows/s', values: submit.values },
    ...python.map(({ series }): Figure => ({ what: series.name, unit: 'rows/s', values: series.values })),
  ];
}

function prepareJob(folder: string, job: Job) {
  const model = writeModel(folder, job.model);
  const inputFile = join(folder, `${job.model}.csv`);
  writeRowsFile(inputFile, job.rows, model.input.dims[0] ?? 0);
  return { model, inputFile, label: `${job.label}, ${job.rows.toLocaleString('en-US')} rows` };
}

function toRate({ rows }: Job, { seconds }: CommandRun): number {
  return rows / seconds;
}

function targetOf({ atLeast }: Job): Pick<Figure, 'target'> {
  return atLeast === undefined ? {} : { target: { atLeast } };
}

function describeScript({ reader, threads }: ScriptOptions): string {
  return `Python with ${reader}${threads === 1 ? '' : " and ONNX Runtime's default threads"}`;
}
