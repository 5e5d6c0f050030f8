import { nearestNames, quoteNames } from '../../base/nearest-names.ts';

/** Names that people write because they know them from elsewhere, where the nearest name by letters is not the meant one. */
const KNOWN_SLIPS: ReadonlyMap<string, string> = new Map([
  ['dim', 'dims'],
  ['shape', 'dims'],
  ['datatype', 'data_type'],
  ['dtype', 'data_type'],
  ['inputs', 'input'],
  ['outputs', 'output'],
  ['TYPE_FLOAT', 'TYPE_FP32'],
  ['TYPE_FLOAT16', 'TYPE_FP16'],
  ['TYPE_FLOAT32', 'TYPE_FP32'],
  ['TYPE_FLOAT64', 'TYPE_FP64'],
  ['TYPE_DOUBLE', 'TYPE_FP64'],
  ['TYPE_HALF', 'TYPE_FP16'],
  ['TYPE_BFLOAT16', 'TYPE_BF16'],
  ['TYPE_INT', 'TYPE_INT32'],
  ['TYPE_LONG', 'TYPE_INT64'],
  ['TYPE_BOOLEAN', 'TYPE_BOOL'],
  ['TYPE_BYTES', 'TYPE_STRING'],
]);

/** Longer words are no slip of a name, and comparing them would take its time. */
const MAX_NAME_LENGTH = 100;

/** Of more names than these a list does not help. */
const MAX_LISTED = 30;

/** What the writer of a word probably meant, as `. Did you mean 'dims'?`; empty when there is nothing to say. */
export function hintForToken(word: string, candidates: readonly string[]): string {
  const slip = KNOWN_SLIPS.get(word) ?? KNOWN_SLIPS.get(`TYPE_${word}`);
  if (slip !== undefined && candidates.includes(slip)) {
    return `. Did you mean '${slip}'?`;
  }
  const prefixed = candidates.filter((candidate) => candidate.endsWith(`_${word.toUpperCase()}`));
  const nearest = word.length > MAX_NAME_LENGTH ? [] : nearestNames(word, candidates);
  const meant = prefixed.length === 1 ? prefixed : nearest;
  if (meant.length > 0) {
    return `. Did you mean ${quoteNames(meant)}?`;
  }
  return candidates.length > 0 && candidates.length <= MAX_LISTED
    ? `. It can be ${quoteNames(candidates, MAX_LISTED)}`
    : '';
}
