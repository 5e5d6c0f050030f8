#!/usr/bin/env node
import { basename } from 'node:path';
import { CommanderError } from 'commander';
import { systemClock } from '../base/clock.ts';
import { toMillraceError } from '../base/errors.ts';
import { PRODUCT } from '../batch/product.ts';
import type { CommandContext } from './command-context.ts';
import { createProgram } from './create-program.ts';
import { EXIT_CODES, exitCodeOf } from './exit-codes.ts';
import { errorReport } from './report/error-report.ts';

/** The names that this program goes by; called as anything else, such as a file of its own, it is the first. */
const NAMES = ['millrace', 'batch-orc'] as const;

// A reader that has seen enough, such as `head`, closes the pipe: that is no fault, and no reason to end a job.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') {
      throw error;
    }
  });
}

// The code is set and the process left to end by itself: what is still being written gets out, and no thread is cut off.
process.exitCode = await run({
  program: NAMES.find((name) => name === basename(process.argv[1] ?? '')) ?? NAMES[0],
  args: process.argv.slice(2),
  cwd: process.cwd(),
  environment: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  clock: systemClock,
});

async function run(context: CommandContext): Promise<number> {
  let exitCode: number = EXIT_CODES.ok;
  const version = PRODUCT.split(' ')[1] ?? PRODUCT;
  const program = createProgram(context, version, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync();
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      // Help and version are no errors; everything else commander has written already.
      return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage;
    }
    const failure = toMillraceError(error, 'something unforeseen happened');
    context.stderr.write(errorReport(failure, program.opts().verbose === true));
    return exitCodeOf(failure);
  }
}
