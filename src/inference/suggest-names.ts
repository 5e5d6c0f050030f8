import { nearestNames, quoteNames } from '../base/nearest-names.ts';

/** `: did you mean 'pixels'?`, or `: it has 'mel', 'mask'` where no name of `known` is near. Ends a message. */
export function suggestNames(name: string, known: readonly string[]): string {
  const nearest = nearestNames(name, known);
  return nearest.length > 0 ? `: did you mean ${quoteNames(nearest)}?` : `: it has ${quoteNames(known)}`;
}
