import type { Evidence, Word } from './own-fields.ts';

const WORST_FIRST = ['contradicted', 'uncheckable', 'reported', 'checked', 'verified'] as const;

/**
 * Tells how sure a whole checklist is: the worst word of its items; undefined if nothing is known. Parts of an item
 * (`2.1`) count through the item's own entry, since one of several may be enough.
 */
export function worstWord(evidence: readonly Evidence[] = []): Word | undefined {
  const words = new Set(evidence.flatMap(({ item, word }) => (item.includes('.') ? [] : word)));
  return WORST_FIRST.find((word) => words.has(word));
}
