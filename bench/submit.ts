import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { BATCH_ROWS, type BenchModel } from './models/write-repository.ts';
import { CLI_PATH } from './product.ts';
import { type CommandRun, runCommand } from './run-command.ts';

/** `millrace submit` over a CSV file from start to exit, in a process of its own; its results are removed. */
export async function runSubmit(folder: string, model: BenchModel, inputFile: string): Promise<CommandRun> {
  const outputDir = join(folder, 'results');
  const columns = model.input.dims[0] ?? 0;
  const run = await runCommand(process.execPath, [
    CLI_PATH,
    'submit',
    ...['--input-file', inputFile],
    ...['--model-name', model.name],
    ...['--model-repository', model.repository],
    ...['--map', `${model.input.name}=f0..f${columns - 1}`],
    ...['--batch-size', String(BATCH_ROWS)],
    ...['--output-dir', outputDir],
    '--quiet',
  ]);
  rmSync(outputDir, { recursive: true, force: true });
  return run;
}
