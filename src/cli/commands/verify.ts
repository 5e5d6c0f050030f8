import { MillraceError } from '../../base/errors.ts';
import { readJobStatus } from '../../batch/job-status.ts';
import { type VerifyReport, verifyJob } from '../../batch/verify/verify-job.ts';
import type { InferClient } from '../../client/infer-client.ts';
import { VERIFY_OPTIONS } from '../../config/batch-options.ts';
import type { OptionValues } from '../../config/option.ts';
import { defineCommand } from '../command.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { openEmbeddedClient } from '../open-embedded-client.ts';
import { errorReport } from '../report/error-report.ts';
import { verifyText, verifyToJson } from '../report/verify-text.ts';
import { runStoppable } from '../stop-signals.ts';

/** Holds results against their input. */
export const VERIFY = defineCommand({
  name: 'verify',
  summary: 'check the results of a job against its input',
  options: VERIFY_OPTIONS,
  takesJobFile: false,
  run: verify,
});

type VerifyValues = OptionValues<typeof VERIFY_OPTIONS>;

async function verify(values: VerifyValues, { stdout, stderr, clock }: CommandContext): Promise<number> {
  const listener = {
    clock,
    onStop: () => stderr.write('stopping\n'),
    onFault: (error: MillraceError) => stderr.write(errorReport(error, true)),
  };
  return runStoppable(listener, async ({ signal }) => {
    const report = await run(values, signal);
    if (values.json) {
      stdout.write(`${JSON.stringify(verifyToJson(report))}\n`);
    } else if (!values.quiet || report.problems.length > 0) {
      stdout.write(verifyText(report));
    }
    return exitCodeOf(report);
  });
}

async function run(values: VerifyValues, signal: AbortSignal): Promise<VerifyReport> {
  const options = { ...values, recompute: values.recompute ?? 0 };
  if (options.recompute === 0) {
    return verifyJob(options, undefined, signal);
  }
  const client = await openClient(values);
  try {
    return await verifyJob(options, client, signal);
  } finally {
    await client.close();
  }
}

async function openClient({ modelRepository, outputDir }: VerifyValues): Promise<InferClient> {
  if (modelRepository === undefined) {
    throw new MillraceError(
      'USAGE',
      '--recompute runs the model again: say where it is with --model-repository',
    );
  }
  const { job } = await readJobStatus(outputDir);
  const { model, batch_size: batchSize } = job.identity;
  return openEmbeddedClient({ modelRepository, modelName: model.name, batchSize, onNotice: () => {} });
}

function exitCodeOf({ problems, failed }: VerifyReport): number {
  if (problems.length > 0) {
    return EXIT_CODES.failed;
  }
  return failed > 0 ? EXIT_CODES.rowErrors : EXIT_CODES.ok;
}
