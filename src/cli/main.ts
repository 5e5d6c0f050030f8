#!/usr/bin/env node
import { basename } from 'node:path';
import { CommanderError } from 'commander';
import { toMillraceError } from '../base/errors.ts';
import { PRODUCT } from '../batch/product.ts';
import { createProgram } from './create-program.ts';
import { EXIT_CODES, exitCodeOf } from './exit-codes.ts';

/** The names that this program goes by; called as anything else, such as a file of its own, it is the first. */
const NAMES = ['millrace', 'batch-orc'] as const;

const called = basename(process.argv[1] ?? '');
const program = NAMES.find((name) => name === called) ?? NAMES[0];

// A reader that has seen enough, such as `head`, closes the pipe: that is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') {
    throw error;
  }
});

// The code is set and the process left to end by itself: what is still being written gets out, and no thread is cut off.
process.exitCode = await run();

async function run(): Promise<number> {
  let exitCode: number = EXIT_CODES.ok;
  const context = { program, environment: process.env, stdout: process.stdout, stderr: process.stderr };
  const version = PRODUCT.split(' ')[1] ?? PRODUCT;
  try {
    await createProgram(context, version, (code) => {
      exitCode = code;
    }).parseAsync();
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      // Help and version are no errors; everything else commander has written already.
      return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage;
    }
    const failure = toMillraceError(error, 'something unforeseen happened');
    process.stderr.write(`error ${failure.reason}: ${failure.message}\n`);
    if (failure.reason === 'INTERNAL_ERROR' && failure.cause instanceof Error) {
      process.stderr.write(`${failure.cause.stack}\n`);
    }
    return exitCodeOf(failure);
  }
}
