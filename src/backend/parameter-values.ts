import { MillraceError } from '../base/errors.ts';
import type { ModelConfig } from '../model-config/model-config.ts';

/**
 * A whole number from the config's `parameters`; undefined when the key is not there.
 * @throws {MillraceError} CONFIG_INVALID for any other text, or a number outside `minimum` to `maximum`.
 */
export function readWholeNumber(
  { name, parameters }: ModelConfig,
  key: string,
  minimum: number,
  maximum: number,
): number | undefined {
  const text = parameters.get(key);
  if (text === undefined) {
    return undefined;
  }
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) {
    return value;
  }
  throw parameterError(name, key, text, `a whole number from ${minimum} to ${maximum}`);
}

/**
 * A switch from the config's `parameters`; undefined when the key is not there.
 * @throws {MillraceError} CONFIG_INVALID for a text that is not one of 0, 1, false, true.
 */
export function readSwitch({ name, parameters }: ModelConfig, key: string): boolean | undefined {
  const text = parameters.get(key);
  if (text === undefined) {
    return undefined;
  }
  if (!/^(?:0|1|false|true)$/i.test(text)) {
    throw parameterError(name, key, text, '0, 1, false or true');
  }
  return text === '1' || text.toLowerCase() === 'true';
}

function parameterError(modelName: string, key: string, text: string, expected: string): MillraceError {
  return new MillraceError(
    'CONFIG_INVALID',
    `parameter '${key}' of model '${modelName}': expected ${expected}, got '${text}'`,
    { details: { parameter: key } },
  );
}
