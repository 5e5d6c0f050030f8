import { type ErrorDetails, MillraceError } from '../base/errors.ts';

/** CONFIG_INVALID. @param problem begins with the field: `input[0].dims has ...`. */
export function createConfigError(
  modelName: string,
  problem: string,
  details: ErrorDetails = {},
): MillraceError {
  return new MillraceError('CONFIG_INVALID', `config of model '${modelName}': ${problem}`, {
    details: { model: modelName, ...details },
  });
}
