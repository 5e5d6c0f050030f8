import { z } from 'zod';

/** How the text of a flag or variable is read. */
export type OptionKind = 'text' | 'integer' | 'flag' | 'list' | 'repeated';

/** One option of a command: a flag, an environment variable and a field of a file, all with one meaning. */
export interface OptionSpec<S extends z.ZodType = z.ZodType> {
  readonly kind: OptionKind;
  /** What a value must be, once read. */
  readonly schema: S;
  /** Stands for the value in help. */
  readonly placeholder: string;
  /** In words, for errors: what the value must be. */
  readonly expected: string;
  readonly description: string;
  /** In words, for help: what happens without it. Undefined: see `required`. */
  readonly defaultText: string | undefined;
  /** Other names of the flag. */
  readonly aliases: readonly string[];
}

/** Options of a command by their name in code: `inputFile` is `--input-file`, `MILLRACE_INPUT_FILE` and `input_file`. */
export type OptionTable = Readonly<Record<string, OptionSpec>>;

interface OptionText {
  readonly placeholder?: string;
  readonly description: string;
  readonly defaultText?: string;
  readonly aliases?: readonly string[];
}

function option<S extends z.ZodType>(
  kind: OptionKind,
  schema: S,
  expected: string,
  text: OptionText,
): OptionSpec<S> {
  return {
    kind,
    schema,
    expected,
    placeholder: text.placeholder ?? 'text',
    description: text.description,
    defaultText: text.defaultText,
    aliases: text.aliases ?? [],
  };
}

const TEXT = 'a text that is not empty';
const NAMES = 'names, none of them empty';

export const textOption = (text: OptionText) => option('text', z.string().min(1).optional(), TEXT, text);
export const requiredText = (text: OptionText) => option('text', z.string().min(1), TEXT, text);
export const choiceOption = <const C extends readonly [string, ...string[]]>(choices: C, text: OptionText) =>
  option('text', z.enum(choices).optional(), `one of ${choices.join(', ')}`, {
    placeholder: choices.join('|'),
    ...text,
  });
export const integerOption = (min: number, text: OptionText) =>
  option('integer', z.int().min(min).optional(), `an integer of at least ${min}`, {
    placeholder: 'n',
    ...text,
  });
export const flagOption = (text: OptionText) =>
  option('flag', z.boolean().default(false), 'true or false', text);
export const listOption = (text: OptionText) =>
  option('list', z.array(z.string().min(1)).default([]), NAMES, { placeholder: 'names', ...text });
export const repeatedOption = (text: OptionText) =>
  option('repeated', z.array(z.string().min(1)).default([]), TEXT, text);

/** The values of all options of a table. */
export type OptionValues<T extends OptionTable> = { readonly [K in keyof T]: z.output<T[K]['schema']> };

const words = (key: string): string[] => key.split(/(?=[A-Z])/).map((word) => word.toLowerCase());

/** `inputFile` -> `--input-file` */
export const flagName = (key: string): string => `--${words(key).join('-')}`;
/** Begins the names of all our environment variables. */
export const VARIABLE_PREFIX = 'MILLRACE_';
/** `inputFile` -> `MILLRACE_INPUT_FILE` */
export const variableName = (key: string): string =>
  `${VARIABLE_PREFIX}${words(key).join('_').toUpperCase()}`;
/** `inputFile` -> `input_file` */
export const fieldName = (key: string): string => words(key).join('_');
