import type { OutputFormat } from '../job-options.ts';
import type { OutputColumn } from '../manifest.ts';
import { createCsvResults } from './csv-results.ts';
import { createJsonlResults } from './jsonl-results.ts';
import { createNpyResults } from './npy-results.ts';
import type { ResultFormat } from './result-format.ts';

/** @throws {MillraceError} USAGE for outputs that the format cannot hold. */
export function createResultFormat(
  format: OutputFormat,
  outputs: readonly OutputColumn[],
  keep: readonly string[],
): ResultFormat {
  switch (format) {
    case 'jsonl':
      return createJsonlResults(outputs);
    case 'csv':
      return createCsvResults(outputs, keep);
    case 'npy':
      return createNpyResults(outputs);
  }
}
