import { Command as Commander, Option } from 'commander';
import { checkEnvironment } from '../config/check-environment.ts';
import { flagName, type OptionSpec, type OptionTable, variableName } from '../config/option.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './command-context.ts';
import { STATUS } from './commands/status.ts';
import { SUBMIT } from './commands/submit.ts';
import { VERIFY } from './commands/verify.ts';

/** The commands, in the order of help. */
export const COMMANDS: readonly Command[] = [SUBMIT, VERIFY, STATUS];

/** Says what the options of every command have in common. */
const HELP_FOOTER = `
A flag comes before its environment variable (env), and that before a job file.
Exit codes: 0 all good, 1 failed or stopped early, 2 wrong use, 3 done with row errors, 130 and 143 interrupted.`;

/**
 * The command line, made from the tables of options.
 * @param onExit gets the exit code of the command that ran.
 */
export function createProgram(
  context: CommandContext,
  version: string,
  onExit: (code: number) => void,
): Commander {
  const program = new Commander(context.program)
    .description('Run files of rows through ONNX models, with results that can be verified and resumed.')
    .version(version)
    .option('--verbose', 'print with an error what caused it')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
    });
  for (const command of COMMANDS) {
    addCommand(program, command, context, onExit);
  }
  return program;
}

function addCommand(
  program: Commander,
  command: Command,
  context: CommandContext,
  onExit: (code: number) => void,
): void {
  const { name, summary, options, takesJobFile } = command;
  const added = program
    .command(name)
    .description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`)
    .summary(summary)
    .exitOverride()
    .showHelpAfterError(`See ${context.program} ${name} --help`)
    .addHelpText('after', HELP_FOOTER);
  for (const [key, spec] of Object.entries(options)) {
    addOption(added, key, spec);
  }
  if (takesJobFile) {
    added.option('--job-file <path>', 'JSON file with these options, as docs/schema/job.schema.json says');
  }
  added.action(async (flags: Readonly<Record<string, unknown>>) => {
    checkEnvironment(
      context.environment,
      COMMANDS.map((each) => each.options),
    );
    onExit(await command.run(mergeAliases(flags, options), context));
  });
}

function addOption(command: Commander, key: string, spec: OptionSpec): void {
  command.addOption(createOption(flagName(key), spec, describe(key, spec)));
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

function describe(key: string, { kind, description, defaultText }: OptionSpec): string {
  const fallback =
    kind === 'flag' ? '' : defaultText === undefined ? 'required, ' : `default: ${defaultText}, `;
  return `${description} (${fallback}env: ${variableName(key)})`;
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
