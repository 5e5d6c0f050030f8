import { nearestNames, quoteNames } from '../../base/nearest-names.ts';

/** Names that people write because they know them from elsewhere, where the nearest name by letters is not the meant one. */
const KNOWN_SLIPS: Readonly<Record<string, string>> = {
  dim: 'dims',
  shape: 'dims',
  datatype: 'data_type',
  dtype: 'data_type',
  inputs: 'input',
  outputs: 'output',
  TYPE_FLOAT: 'TYPE_FP32',
  TYPE_FLOAT16: 'TYPE_FP16',
  TYPE_FLOAT32: 'TYPE_FP32',
  TYPE_FLOAT64: 'TYPE_FP64',
  TYPE_DOUBLE: 'TYPE_FP64',
  TYPE_HALF: 'TYPE_FP16',
  TYPE_INT: 'TYPE_INT32',
  TYPE_LONG: 'TYPE_INT64',
  TYPE_BOOLEAN: 'TYPE_BOOL',
  TYPE_BYTES: 'TYPE_STRING',
  FP16: 'TYPE_FP16',
  FP32: 'TYPE_FP32',
  FP64: 'TYPE_FP64',
  INT32: 'TYPE_INT32',
  INT64: 'TYPE_INT64',
};

/** What the writer of a wrong token probably meant, as a sentence; empty when nothing is near. */
export function hintForToken(token: string, candidates: readonly string[]): string {
  if (token === '$' || token === '%' || token === '@') {
    return `A template placeholder ('\${...}' or the like) was left in: fill in the template first`;
  }
  const slip = KNOWN_SLIPS[token];
  if (slip !== undefined && candidates.includes(slip)) {
    return `Did you mean '${slip}'?`;
  }
  const nearest = nearestNames(token, candidates);
  if (nearest.length > 0) {
    return `Did you mean ${quoteNames(nearest)}?`;
  }
  return candidates.length > 0 && candidates.length <= 20 ? `It can be ${quoteNames(candidates, 20)}` : '';
}
