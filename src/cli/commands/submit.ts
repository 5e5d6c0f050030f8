import type { MillraceError } from '../../base/errors.ts';
import { runJob } from '../../batch/job.ts';
import type { JobSummary } from '../../batch/job-events.ts';
import { SUBMIT_OPTIONS, toJobOptions } from '../../config/batch-options.ts';
import type { OptionValues } from '../../config/option.ts';
import { defineCommand } from '../command.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { openEmbeddedClient } from '../open-embedded-client.ts';
import { createReporter } from '../report/create-reporter.ts';
import { errorReport } from '../report/error-report.ts';
import { summaryToJson } from '../report/event-json.ts';
import { chooseReporter, type JobReporter } from '../report/job-reporter.ts';
import { summaryText } from '../report/summary-text.ts';
import { runStoppable, type StopSignals } from '../stop-signals.ts';

/** Runs a file through a model. */
export const SUBMIT = defineCommand({
  name: 'submit',
  summary: 'run every row of a file through a model',
  options: SUBMIT_OPTIONS,
  takesJobFile: true,
  run: submit,
});

type SubmitValues = OptionValues<typeof SUBMIT_OPTIONS>;

async function submit(values: SubmitValues, context: CommandContext): Promise<number> {
  const { stdout, stderr, clock } = context;
  const kind = chooseReporter({ ...values, isTerminal: stderr.isTTY === true });
  const reporter = createReporter(kind, { stdout, stderr, clock });
  const listener = {
    clock,
    onStop: () => reporter.note('stopping: what is done is kept'),
    onFault: (error: MillraceError) => reporter.note(errorReport(error, true).trimEnd()),
  };
  try {
    return await runStoppable(listener, async (stop) => {
      const summary = await run(values, reporter, stop);
      reporter.close();
      if (kind === 'json') {
        stdout.write(`${JSON.stringify(summaryToJson(summary))}\n`);
      } else if (kind !== 'quiet') {
        stdout.write(summaryText(summary, { ...context, inputFile: values.inputFile }));
      }
      return exitCodeOf(summary, stop);
    });
  } finally {
    reporter.close();
  }
}

async function run(values: SubmitValues, reporter: JobReporter, stop: StopSignals): Promise<JobSummary> {
  const options = toJobOptions(values);
  const client = await openEmbeddedClient({
    modelRepository: values.modelRepository,
    modelName: values.modelName,
    batchSize: options.batchSize,
    onNotice: (message) => reporter.note(message),
  });
  try {
    return await runJob(options, client, (event) => reporter.onEvent(event), stop.signal);
  } finally {
    await client.close();
  }
}

function exitCodeOf({ state, stoppedBy, failed }: JobSummary, stop: StopSignals): number {
  if (state === 'partial') {
    return (stoppedBy === 'signal' ? stop.exitCode() : undefined) ?? EXIT_CODES.failed;
  }
  return failed > 0 ? EXIT_CODES.rowErrors : EXIT_CODES.ok;
}
