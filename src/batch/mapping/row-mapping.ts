import type { TensorMetadata } from '../../client/infer-client.ts';

/** Where the values of one input come from, in each row. */
export type InputMapping =
  /** One column with the whole value: a number or text, or an array. */
  | { readonly kind: 'column'; readonly input: TensorMetadata; readonly column: string }
  /** One column an element, in this order. */
  | { readonly kind: 'columns'; readonly input: TensorMetadata; readonly columns: readonly string[] }
  /** The content of the file whose path is in the column. */
  | { readonly kind: 'file'; readonly input: TensorMetadata; readonly column: string };

/** How rows become requests. */
export interface RowMapping {
  readonly inputs: readonly InputMapping[];
  readonly idColumn: string | undefined;
  readonly keep: readonly string[];
  /** Folder that relative paths of `file` inputs start from. */
  readonly baseDir: string;
  /** All columns, in the order of a CSV file's cells. */
  readonly columns: readonly string[];
}

/** The mapping in words of `--map`, canonical: equal texts map equally. */
export function describeMapping({ inputs }: RowMapping): readonly string[] {
  return inputs.map((mapping) => `${mapping.input.name}=${describeColumns(mapping)}`);
}

function describeColumns(mapping: InputMapping): string {
  switch (mapping.kind) {
    case 'column':
      return mapping.column;
    case 'columns':
      return mapping.columns.join(',');
    case 'file':
      return `@${mapping.column}`;
  }
}
