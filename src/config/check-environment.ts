import { MillraceError } from '../base/errors.ts';
import { nearestNames, quoteNames } from '../base/nearest-names.ts';
import { type OptionTable, VARIABLE_PREFIX, variableName } from './option.ts';

/**
 * Differences within which an unknown variable is taken for a misspelt one. Others are not ours to refuse: Kubernetes gives
 * every process variables like `MILLRACE_SERVICE_HOST` where a service is called millrace.
 */
const MAX_EDITS = 2;

/**
 * Finds variables that nobody would read though they look like options.
 * @param tables of all commands: a variable may be meant for another one.
 * @throws {MillraceError} USAGE naming the variable and what it may have been meant to be.
 */
export function checkEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  tables: readonly OptionTable[],
): void {
  const known = new Set(tables.flatMap((table) => Object.keys(table).map(variableName)));
  for (const name of Object.keys(environment)) {
    if (name.startsWith(VARIABLE_PREFIX) && !known.has(name)) {
      const nearest = nearestNames(name, known, MAX_EDITS);
      if (nearest.length > 0) {
        throw new MillraceError(
          'USAGE',
          `the environment variable '${name}' is not known: did you mean ${quoteNames(nearest)}?`,
        );
      }
    }
  }
}
