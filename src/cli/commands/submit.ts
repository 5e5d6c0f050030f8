import { runJob } from '../../batch/job.ts';
import type { JobSummary } from '../../batch/job-events.ts';
import { SUBMIT_OPTIONS, toJobOptions } from '../../config/batch-options.ts';
import { readJobOptionsFile } from '../../config/job-options-file.ts';
import { resolveOptions } from '../../config/resolve-options.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { openEmbeddedClient } from '../open-embedded-client.ts';
import { createReporter } from '../report/create-reporter.ts';
import { summaryToJson } from '../report/event-json.ts';
import { chooseReporter } from '../report/job-reporter.ts';
import { summaryText } from '../report/summary-text.ts';
import { listenForStop } from '../stop-signals.ts';

/** `millrace submit`: runs a file through a model. @returns the exit code. */
export async function submit(
  flags: Readonly<Record<string, unknown>>,
  context: CommandContext,
): Promise<number> {
  const { stdout, stderr, environment } = context;
  const jobFile = flags.jobFile;
  const file =
    typeof jobFile === 'string' ? { path: jobFile, fields: await readJobOptionsFile(jobFile) } : undefined;
  const values = resolveOptions(SUBMIT_OPTIONS, { flags, environment, file });
  const options = toJobOptions(values);
  const kind = chooseReporter({ ...values, isTerminal: stderr.isTTY === true });
  const reporter = createReporter(kind, stdout, stderr);
  const stop = listenForStop(() => reporter.note('stopping: what is done is kept'));
  try {
    const client = await openEmbeddedClient({
      modelRepository: values.modelRepository,
      modelName: values.modelName,
      batchSize: options.batchSize,
      onNotice: (message) => reporter.note(message),
    });
    try {
      const summary = await runJob(options, client, (event) => reporter.onEvent(event), stop.signal);
      reporter.close();
      if (kind === 'json') {
        stdout.write(`${JSON.stringify(summaryToJson(summary))}\n`);
      } else if (kind !== 'quiet') {
        stdout.write(summaryText(summary, context.program));
      }
      return stop.exitCode() !== undefined && summary.state === 'partial'
        ? (stop.exitCode() ?? 1)
        : exitCodeOf(summary);
    } finally {
      await client.close();
    }
  } finally {
    reporter.close();
    stop.dispose();
  }
}

function exitCodeOf(summary: JobSummary): number {
  if (summary.state === 'partial') {
    return EXIT_CODES.failed;
  }
  return summary.failed > 0 ? EXIT_CODES.rowErrors : EXIT_CODES.ok;
}
