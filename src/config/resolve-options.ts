import { MillraceError } from '../base/errors.ts';
import { nearestNames, quoteNames } from '../base/nearest-names.ts';
import {
  fieldName,
  flagName,
  type OptionSpec,
  type OptionTable,
  type OptionValues,
  variableName,
} from './option.ts';

/** Where values come from; the first that has one wins. */
export interface OptionSources {
  /** Flags by option name, as texts; true for a flag without a value, a list for one that was repeated. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Fields of a file, and its path. */
  readonly file: { readonly path: string; readonly fields: Readonly<Record<string, unknown>> } | undefined;
}

/**
 * The values of a command's options: flag before environment variable before file before default.
 * @throws {MillraceError} USAGE naming the option as it was written, what it takes and what it got.
 */
export function resolveOptions<T extends OptionTable>(table: T, sources: OptionSources): OptionValues<T> {
  refuseUnknownFields(table, sources);
  const values = Object.fromEntries(
    Object.entries(table).map(([key, spec]) => {
      const found = findValue(key, spec, sources);
      const { value } = found;
      const result = spec.schema.safeParse(value);
      if (!result.success) {
        throw value === undefined ? missing(key, spec) : invalid(found, spec);
      }
      return [key, result.data];
    }),
  );
  // Each value has just been read with the schema of its own key.
  return values as OptionValues<T>;
}

interface FoundValue {
  readonly value: unknown;
  /** The option as the user wrote it. */
  readonly name: string;
  /** The value as the user wrote it. */
  readonly raw: unknown;
  readonly isOfFile: boolean;
}

function findValue(key: string, spec: OptionSpec, { flags, environment, file }: OptionSources): FoundValue {
  const flag = flags[key];
  if (flag !== undefined) {
    return { value: readValue(flag, spec), raw: flag, name: flagName(key), isOfFile: false };
  }
  const variable = environment[variableName(key)];
  if (variable !== undefined && variable !== '') {
    return { value: readValue(variable, spec), raw: variable, name: variableName(key), isOfFile: false };
  }
  const field = file?.fields[fieldName(key)];
  return { value: field, raw: field, name: `'${fieldName(key)}' in '${file?.path}'`, isOfFile: true };
}

/** A text as a value of the option's kind; what cannot be one stays text and fails the schema. */
function readValue(raw: unknown, { kind }: OptionSpec): unknown {
  switch (kind) {
    case 'integer':
      return typeof raw === 'string' && /^[+-]?\d+$/.test(raw) ? Number(raw) : raw;
    case 'flag':
      return raw === 'true' || raw === '1' ? true : raw === 'false' || raw === '0' ? false : raw;
    case 'list':
      return typeof raw === 'string' ? raw.split(',').map((name) => name.trim()) : raw;
    case 'repeated':
      return typeof raw === 'string' ? [raw] : raw;
    default:
      return raw;
  }
}

function refuseUnknownFields(table: OptionTable, { file }: OptionSources): void {
  const known = Object.keys(table).map(fieldName);
  const unknown = Object.keys(file?.fields ?? {}).find(
    (field) => !known.includes(field) && field !== '$schema',
  );
  if (unknown !== undefined) {
    const nearest = nearestNames(unknown, known);
    const hint =
      nearest.length > 0 ? `did you mean ${quoteNames(nearest)}?` : `it can have ${quoteNames(known, 40)}`;
    throw new MillraceError('USAGE', `'${file?.path}' has a field '${unknown}' that is not known: ${hint}`);
  }
}

function missing(key: string, spec: OptionSpec): MillraceError {
  return new MillraceError(
    'USAGE',
    `${flagName(key)} <${spec.placeholder}> is missing: ${spec.description}. It can also be ${variableName(key)}`,
  );
}

function invalid({ name, raw, isOfFile }: FoundValue, { kind, expected }: OptionSpec): MillraceError {
  const isArray = isOfFile && (kind === 'list' || kind === 'repeated');
  return new MillraceError(
    'USAGE',
    `${name} must be ${isArray ? 'an array of texts, none of them empty' : expected}, got ${JSON.stringify(raw)}`,
  );
}
