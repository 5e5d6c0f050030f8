import { MillraceError } from '../../base/errors.ts';
import { nearestNames, quoteNames } from '../../base/nearest-names.ts';

/** What one `--map` says. */
export interface MapSpecification {
  readonly input: string;
  readonly columns: readonly string[];
  /** The column holds the path of a file. */
  readonly isFile: boolean;
}

/**
 * Reads `input=column`, `input=a,b,c`, `input=p0..p63` (all columns from one to the other in the order of the file), any
 * mix of the two, or `input=@path_column`. A column whose name has a comma or dots in it can be named alone.
 * @param columns of the input file, in order.
 * @throws {MillraceError} MAPPING_INVALID naming what is wrong and the nearest columns.
 */
export function parseMapSpecification(text: string, columns: readonly string[]): MapSpecification {
  const equals = text.indexOf('=');
  if (equals <= 0 || equals === text.length - 1) {
    throw new MillraceError(
      'MAPPING_INVALID',
      `map '${text}' is not understood: expected 'input=columns', as in 'pixels=p0..p63'`,
    );
  }
  const input = text.slice(0, equals).trim();
  const value = text.slice(equals + 1).trim();
  if (columns.includes(value)) {
    return { input, columns: [value], isFile: false };
  }
  if (value.startsWith('@')) {
    return { input, columns: [requireColumn(value.slice(1), columns, text)], isFile: true };
  }
  return {
    input,
    columns: value.split(',').flatMap((part) => expandPart(part.trim(), columns, text)),
    isFile: false,
  };
}

function expandPart(part: string, columns: readonly string[], text: string): readonly string[] {
  const range = /^(.+?)\.\.(.+)$/.exec(part);
  const [, first, last] = range ?? [];
  if (columns.includes(part) || first === undefined || last === undefined) {
    return [requireColumn(part, columns, text)];
  }
  const start = columns.indexOf(requireColumn(first, columns, text));
  const end = columns.indexOf(requireColumn(last, columns, text));
  if (start > end) {
    throw new MillraceError(
      'MAPPING_INVALID',
      `map '${text}': column '${first}' stands behind '${last}' in the file, so that the range is empty: turn it round`,
    );
  }
  return columns.slice(start, end + 1);
}

/** @throws {MillraceError} MAPPING_INVALID with the nearest names. */
export function requireColumn(name: string, columns: readonly string[], where: string): string {
  if (columns.includes(name)) {
    return name;
  }
  const nearest = nearestNames(name, columns);
  const hint =
    nearest.length > 0 ? `did you mean ${quoteNames(nearest)}?` : `the columns are ${quoteNames(columns)}`;
  throw new MillraceError('MAPPING_INVALID', `${where}: the input file has no column '${name}': ${hint}`, {
    details: { column: name },
  });
}
