import { readJobStatus } from '../../batch/job-status.ts';
import { STATUS_OPTIONS } from '../../config/batch-options.ts';
import type { OptionValues } from '../../config/option.ts';
import { defineCommand } from '../command.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { statusText, statusToJson } from '../report/status-text.ts';

/** Says how far a job is. */
export const STATUS = defineCommand({
  name: 'status',
  summary: 'say how far a job is',
  options: STATUS_OPTIONS,
  takesJobFile: false,
  run: status,
});

async function status(
  { outputDir, json }: OptionValues<typeof STATUS_OPTIONS>,
  { stdout, program }: CommandContext,
): Promise<number> {
  const job = await readJobStatus(outputDir);
  stdout.write(json ? `${JSON.stringify(statusToJson(job))}\n` : statusText(job, program));
  return EXIT_CODES.ok;
}
