import { Command, Option } from 'commander';
import { STATUS_OPTIONS, SUBMIT_OPTIONS, VERIFY_OPTIONS } from '../config/batch-options.ts';
import { flagName, type OptionSpec, type OptionTable } from '../config/option.ts';
import type { CommandContext } from './command-context.ts';
import { status } from './commands/status.ts';
import { submit } from './commands/submit.ts';
import { verify } from './commands/verify.ts';

type RunCommand = (flags: Readonly<Record<string, unknown>>, context: CommandContext) => Promise<number>;

interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  readonly options: OptionTable;
  readonly run: RunCommand;
}

/** The commands, in the order of help. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'submit',
    summary: 'run every row of a file through a model',
    options: SUBMIT_OPTIONS,
    run: submit,
  },
  {
    name: 'verify',
    summary: 'check the results of a job against its input',
    options: VERIFY_OPTIONS,
    run: verify,
  },
  { name: 'status', summary: 'say how far a job is', options: STATUS_OPTIONS, run: status },
];

/** Says what the options of every command have in common. */
const HELP_FOOTER = `
Each option can also be an environment variable (--input-file is MILLRACE_INPUT_FILE); a flag wins.
Exit codes: 0 all good, 1 failed or stopped early, 2 wrong use, 3 done with row errors, 130 and 143 interrupted.`;

/**
 * The command line, made from the tables of options.
 * @param onExit gets the exit code of the command that ran.
 */
export function createProgram(
  context: CommandContext,
  version: string,
  onExit: (code: number) => void,
): Command {
  const program = new Command(context.program)
    .description('Run files of rows through ONNX models, with results that can be verified and resumed.')
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
    });
  for (const { name, summary, options, run } of COMMANDS) {
    const command = program
      .command(name)
      .description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`)
      .summary(summary)
      .exitOverride()
      .showHelpAfterError(`See ${context.program} ${name} --help`)
      .addHelpText('after', HELP_FOOTER);
    for (const [key, spec] of Object.entries(options)) {
      addOption(command, key, spec);
    }
    if (name === 'submit') {
      command.option('--job-file <path>', 'JSON file with these options: see docs/schema/job.schema.json');
    }
    command.action(async (flags: Readonly<Record<string, unknown>>) => {
      onExit(await run(mergeAliases(flags, options), context));
    });
  }
  return program;
}

function addOption(command: Command, key: string, spec: OptionSpec): void {
  command.addOption(createOption(flagName(key), spec, describe(spec)));
  for (const alias of spec.aliases) {
    command.addOption(createOption(alias, spec, '').hideHelp());
  }
}

function createOption(flag: string, spec: OptionSpec, description: string): Option {
  const option = new Option(spec.kind === 'flag' ? flag : `${flag} <${spec.placeholder}>`, description);
  if (spec.kind === 'repeated') {
    option.argParser((value: string, earlier: readonly string[] | undefined) => [...(earlier ?? []), value]);
  }
  return option;
}

function describe({ description, defaultText }: OptionSpec): string {
  return defaultText === undefined ? description : `${description} (default: ${defaultText})`;
}

/** Gives the value of an alias to the option that it stands for. */
function mergeAliases(
  flags: Readonly<Record<string, unknown>>,
  options: OptionTable,
): Readonly<Record<string, unknown>> {
  const merged: Record<string, unknown> = { ...flags };
  for (const [key, { aliases }] of Object.entries(options)) {
    for (const alias of aliases) {
      const aliasKey = alias
        .replace(/^--/, '')
        .replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
      merged[key] ??= merged[aliasKey];
    }
  }
  return merged;
}
