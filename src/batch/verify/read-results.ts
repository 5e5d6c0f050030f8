import { join } from 'node:path';
import type { JobIdentity } from '../manifest.ts';
import { CSV_RESULTS_FILE } from '../sink/csv-results.ts';
import { JSONL_RESULTS_FILE } from '../sink/jsonl-results.ts';
import { readCsvResults } from './read-csv-results.ts';
import { readJsonlResults } from './read-jsonl-results.ts';
import { readNpyResults } from './read-npy-results.ts';
import type { ReadResult } from './result-record.ts';

/**
 * The results of a finished job, in the order in which they lie in the files.
 * @throws {Error} when a file cannot be read.
 */
export function readResults(outputDir: string, identity: JobIdentity): AsyncIterable<ReadResult> {
  switch (identity.output_format) {
    case 'jsonl':
      return readJsonlResults(join(outputDir, JSONL_RESULTS_FILE), identity.outputs);
    case 'csv':
      return readCsvResults(join(outputDir, CSV_RESULTS_FILE), identity);
    case 'npy':
      return readNpyResults(outputDir, identity.outputs);
  }
}
