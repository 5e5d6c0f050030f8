import { distance } from 'fastest-levenshtein';

const MAX_SUGGESTIONS = 3;

/**
 * Up to three of `candidates` that a person who wrote `name` may have meant, nearest first.
 * @param maxEdits characters added, left out or changed, at most; by default more in a longer name.
 */
export function nearestNames(
  name: string,
  candidates: Iterable<string>,
  maxEdits = Math.max(2, Math.ceil(name.length * 0.4)),
): string[] {
  const lower = name.toLowerCase();
  return [...candidates]
    .map((candidate) => ({ candidate, edits: distance(lower, candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= maxEdits)
    .sort((a, b) => a.edits - b.edits || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ candidate }) => candidate);
}

/** `'a', 'b' and 12 more` for messages; `none` when there is nothing to list. */
export function quoteNames(names: readonly string[], limit = 8): string {
  if (names.length === 0) {
    return 'none';
  }
  const shown = names
    .slice(0, limit)
    .map((name) => `'${name}'`)
    .join(', ');
  return names.length > limit ? `${shown} and ${names.length - limit} more` : shown;
}
