import { toMillraceError } from '../base/errors.ts';
import { readJobOptionsFile } from '../config/job-options-file.ts';
import type { flagOption, OptionTable, OptionValues } from '../config/option.ts';
import { type OptionSources, resolveOptions } from '../config/resolve-options.ts';
import type { CommandContext } from './command-context.ts';
import { errorToJson } from './report/error-report.ts';

/** A command whose options have been read. */
export interface CommandDefinition<T extends OptionTable> {
  readonly name: string;
  /** For the list of commands, in lower case. */
  readonly summary: string;
  readonly options: T;
  /** Options may also come from a job file. */
  readonly takesJobFile: boolean;
  /** @returns the exit code. */
  run(values: OptionValues<T>, context: CommandContext): Promise<number>;
}

/** A command as the command line sees it, whatever its options are. */
export interface Command extends Omit<CommandDefinition<OptionTable>, 'run'> {
  /**
   * @param flags by the name of the option, as texts.
   * @returns the exit code.
   */
  run(flags: Readonly<Record<string, unknown>>, context: CommandContext): Promise<number>;
}

type JsonOption = { readonly json: ReturnType<typeof flagOption> };

export function defineCommand<T extends OptionTable & JsonOption>(definition: CommandDefinition<T>): Command {
  return {
    ...definition,
    async run(flags, context) {
      let isJson = flags.json === true;
      try {
        const file = await readJobFile(flags.jobFile);
        const values = resolveOptions(definition.options, { flags, environment: context.environment, file });
        isJson = values.json === true;
        return await definition.run(values, context);
      } catch (error) {
        if (isJson) {
          const failure = toMillraceError(error, 'the command failed');
          context.stdout.write(`${JSON.stringify(errorToJson(failure))}\n`);
        }
        throw error;
      }
    },
  };
}

async function readJobFile(path: unknown): Promise<OptionSources['file']> {
  return typeof path === 'string' ? { path, fields: await readJobOptionsFile(path) } : undefined;
}
