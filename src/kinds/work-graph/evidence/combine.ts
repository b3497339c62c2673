import type { Evidence, Word } from '../run/tree/own-fields.ts';

/** The first of these that some part has is that of all of them together. */
const WORST_FIRST: readonly Word[] = ['contradicted', 'uncheckable', 'reported', 'checked', 'verified'];

/** All have to hold: what cannot be checked is never a pass. */
export function allOf(words: readonly Word[]): Word {
  return WORST_FIRST.find((word) => words.includes(word)) ?? 'verified';
}

/** One is enough. Where none holds, one that cannot be checked here may still do: a person decides. */
export function anyOf(words: readonly Word[]): Word {
  const last = words.includes('uncheckable') ? 'uncheckable' : 'contradicted';
  return (['verified', 'checked', 'reported'] as const).find((word) => words.includes(word)) ?? last;
}

/** Tells whether every item of a checklist is verified; an empty one says nothing against it. */
export function isVerified(evidence: readonly Evidence[]): boolean {
  return allOf(topLevel(evidence).map(({ word }) => word)) === 'verified';
}

/** The entries of the items themselves, without those of their parts, which count through them. */
export function topLevel(evidence: readonly Evidence[]): Evidence[] {
  return evidence.filter(({ item }) => !item.includes('.'));
}

/** The items that are found to be otherwise, or cannot be found out. */
export function withWord(evidence: readonly Evidence[], word: Word): Evidence[] {
  return topLevel(evidence).filter((each) => each.word === word);
}

/** As many entries as are kept: parts go before items. */
export function bounded(evidence: readonly Evidence[], most: number): Evidence[] {
  return evidence.length <= most ? [...evidence] : topLevel(evidence).slice(0, most);
}
