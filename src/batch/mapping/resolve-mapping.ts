import { MillraceError } from '../../base/errors.ts';
import { nearestNames, quoteNames } from '../../base/nearest-names.ts';
import type { ModelMetadata, TensorMetadata } from '../../client/infer-client.ts';
import { elementCount, formatShape } from '../../tensor/shape.ts';
import type { InputSurvey } from '../source/row-source.ts';
import { findNumberedRange } from './find-range.ts';
import { type MapSpecification, parseMapSpecification, requireColumn } from './map-specification.ts';
import type { InputMapping, RowMapping } from './row-mapping.ts';

export interface MappingRequest {
  readonly model: ModelMetadata;
  readonly survey: InputSurvey;
  /** As in `--map`. */
  readonly specs: readonly string[];
  readonly idColumn: string | undefined;
  readonly keep: readonly string[];
  /** Folder that relative paths in the rows start from. */
  readonly baseDir: string;
}

export interface ResolvedMapping {
  readonly mapping: RowMapping;
  /** What was found without being asked for, for a person to see. */
  readonly notices: readonly string[];
}

/**
 * Finds where each input of the model comes from, before the first row runs: what `--map` says, else the column of its
 * own name, else the one unbroken range of numbered columns that has the right length.
 * @throws {MillraceError} MAPPING_INVALID.
 */
export function resolveMapping(request: MappingRequest): ResolvedMapping {
  const { model, survey, idColumn, keep } = request;
  const specifications = parseSpecifications(request);
  const notices: string[] = [];
  const reserved = [...(idColumn === undefined ? [] : [idColumn]), ...keep];
  const inputs = model.inputs.flatMap((input): InputMapping[] => {
    const specification = specifications.get(input.name);
    if (specification !== undefined) {
      return [mapAsSpecified(input, specification)];
    }
    if (survey.columns.includes(input.name)) {
      return [{ kind: 'column', input, column: input.name }];
    }
    const range = findNumberedRange(survey.columns, elementsPerRow(input), reserved);
    if (range !== undefined) {
      notices.push(`input '${input.name}' takes the columns '${range[0]}' to '${range.at(-1)}'`);
      return [mapColumns(input, range)];
    }
    if (input.optional) {
      return [];
    }
    throw unmapped(input, survey);
  });
  if (idColumn !== undefined) {
    requireColumn(idColumn, survey.columns, 'id column');
  }
  for (const column of keep) {
    requireColumn(column, survey.columns, 'column to keep');
  }
  return { mapping: { inputs, idColumn, keep, baseDir: request.baseDir, columns: survey.columns }, notices };
}

function parseSpecifications({
  model,
  survey,
  specs,
}: MappingRequest): ReadonlyMap<string, MapSpecification> {
  const byInput = new Map<string, MapSpecification>();
  const names = model.inputs.map(({ name }) => name);
  for (const text of specs) {
    const specification = parseMapSpecification(text, survey.columns);
    const { input } = specification;
    if (!names.includes(input)) {
      const nearest = nearestNames(input, names);
      const hint =
        nearest.length > 0 ? `did you mean ${quoteNames(nearest)}?` : `it has ${quoteNames(names)}`;
      throw new MillraceError(
        'MAPPING_INVALID',
        `map '${text}': model '${model.name}' has no input '${input}': ${hint}`,
      );
    }
    if (byInput.has(input)) {
      throw new MillraceError(
        'MAPPING_INVALID',
        `input '${input}' is mapped twice: give all its columns in one --map`,
      );
    }
    byInput.set(input, specification);
  }
  return byInput;
}

function mapAsSpecified(input: TensorMetadata, { columns, isFile }: MapSpecification): InputMapping {
  const [column] = columns;
  if (isFile && column !== undefined) {
    if (input.datatype !== 'BYTES' || elementsPerRow(input) !== 1) {
      throw new MillraceError(
        'MAPPING_INVALID',
        `input '${input.name}' is ${input.datatype} ${formatShape(input.dims)}: a file can only be the one value of a BYTES input`,
      );
    }
    return { kind: 'file', input, column };
  }
  return columns.length === 1 && column !== undefined
    ? { kind: 'column', input, column }
    : mapColumns(input, columns);
}

function mapColumns(input: TensorMetadata, columns: readonly string[]): InputMapping {
  const expected = elementsPerRow(input);
  if (expected !== undefined && expected !== columns.length) {
    throw new MillraceError(
      'MAPPING_INVALID',
      `input '${input.name}' takes ${expected} values a row, shape ${formatShape(input.dims)}, but '${columns[0]}' to ` +
        `'${columns.at(-1)}' are ${columns.length} columns`,
      { details: { input: input.name, expected, found: columns.length } },
    );
  }
  if (input.dims.filter((dim) => dim === -1).length > 1) {
    throw new MillraceError(
      'MAPPING_INVALID',
      `input '${input.name}' has shape ${formatShape(input.dims)}, which several columns cannot tell: give it one column with JSON arrays`,
    );
  }
  const known = elementCount(input.dims.filter((dim) => dim !== -1));
  if (known === 0 || columns.length % known !== 0) {
    throw new MillraceError(
      'MAPPING_INVALID',
      `input '${input.name}' has shape ${formatShape(input.dims)}, which ${columns.length} columns cannot fill`,
    );
  }
  return { kind: 'columns', input, columns };
}

/** Undefined where a dimension may have any size. */
function elementsPerRow({ dims }: TensorMetadata): number | undefined {
  return dims.includes(-1) ? undefined : elementCount(dims);
}

function unmapped(input: TensorMetadata, survey: InputSurvey): MillraceError {
  const elements = elementsPerRow(input);
  const nearest = nearestNames(input.name, survey.columns);
  const hint = nearest.length > 0 ? ` Did you mean ${quoteNames(nearest)}?` : '';
  const range = elements === undefined ? '' : `, and no unbroken range of ${elements} numbered columns`;
  return new MillraceError(
    'MAPPING_INVALID',
    `input '${input.name}' (${input.datatype} ${formatShape(input.dims)}) has no column of its name${range}. The columns are ` +
      `${quoteNames(survey.columns)}.${hint} Say which with --map '${input.name}=...'`,
    { details: { input: input.name } },
  );
}
