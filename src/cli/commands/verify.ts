import { MillraceError } from '../../base/errors.ts';
import { readJobFile } from '../../batch/manifest.ts';
import { type VerifyReport, verifyJob } from '../../batch/verify/verify-job.ts';
import type { InferClient } from '../../client/infer-client.ts';
import { VERIFY_OPTIONS } from '../../config/batch-options.ts';
import { resolveOptions } from '../../config/resolve-options.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { openEmbeddedClient } from '../open-embedded-client.ts';
import { verifyText, verifyToJson } from '../report/verify-text.ts';
import { listenForStop } from '../stop-signals.ts';

/** `millrace verify`: holds results against their input. @returns the exit code. */
export async function verify(
  flags: Readonly<Record<string, unknown>>,
  context: CommandContext,
): Promise<number> {
  const { environment, stdout, stderr } = context;
  const values = resolveOptions(VERIFY_OPTIONS, { flags, environment, file: undefined });
  const stop = listenForStop(() => stderr.write('stopping\n'));
  let client: InferClient | undefined;
  try {
    const recompute = values.recompute ?? 0;
    client = recompute > 0 ? await openClient(values.modelRepository, values.outputDir) : undefined;
    const report = await verifyJob(
      {
        inputFile: values.inputFile,
        inputFormat: values.inputFormat,
        encoding: values.encoding,
        delimiter: values.delimiter,
        outputDir: values.outputDir,
        expectedCount: values.expectedCount,
        allowNonFinite: values.allowNonFinite,
        recompute,
        signal: stop.signal,
      },
      client,
    );
    if (values.json) {
      stdout.write(`${JSON.stringify(verifyToJson(report))}\n`);
    } else if (!values.quiet || report.problems.length > 0) {
      stdout.write(verifyText(report));
    }
    return exitCodeOf(report);
  } catch (error) {
    const interrupted = stop.exitCode();
    if (interrupted !== undefined && error instanceof MillraceError && error.reason === 'REQUEST_CANCELLED') {
      return interrupted;
    }
    throw error;
  } finally {
    await client?.close();
    stop.dispose();
  }
}

async function openClient(modelRepository: string | undefined, outputDir: string): Promise<InferClient> {
  if (modelRepository === undefined) {
    throw new MillraceError(
      'USAGE',
      '--recompute runs the model again: say where it is with --model-repository',
    );
  }
  const job = await readJobFile(outputDir);
  if (job === undefined) {
    throw new MillraceError('JOB_NOT_FOUND', `'${outputDir}' holds no batch job`);
  }
  const { model, batch_size: batchSize } = job.identity;
  return openEmbeddedClient({ modelRepository, modelName: model.name, batchSize, onNotice: () => {} });
}

function exitCodeOf({ problems, failed }: VerifyReport): number {
  if (problems.length > 0) {
    return EXIT_CODES.failed;
  }
  return failed > 0 ? EXIT_CODES.rowErrors : EXIT_CODES.ok;
}
