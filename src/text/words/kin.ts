import { otherForms } from './tables/irregular.ts';
import { termOf } from './terms.ts';

/** Endings by which words of one root differ, beyond those that a stem is without. */
const COMMON = 'ers er ors or ings ing ed ions ion ables able ren es s e y'.split(' ');
const LEARNED =
  'ations ation ators ator itions ition ments ment ance ence ibles ible als al ives ive ities ity ness ly en'.split(
    ' ',
  );
/** Of less than this nobody knows the root, and behind less than that stand only the common endings. */
const [SHORTEST, SHORT] = [4, 5];

/**
 * The terms of words that are likely of the same root as a word in lower case: cancellation and cancelled, child and
 * children, woken and wake. Enough to say that a word is not in some text when none of these is; far too many to search for.
 */
export function kinOf(word: string): string[] {
  if (!/^[a-z]{4,40}$/.test(word)) return [];
  const roots = new Set([word, termOf(word) ?? word, ...otherForms(word)]);
  for (const ending of [...COMMON, ...LEARNED]) if (word.endsWith(ending)) roots.add(word.slice(0, -ending.length));
  const terms = new Set<string>();
  for (const root of roots) {
    if (root.length < SHORTEST) continue;
    for (const ending of ['', ...COMMON, ...(root.length < SHORT ? [] : LEARNED)]) {
      const term = termOf(root + ending);
      if (term !== undefined) terms.add(term);
    }
  }
  return [...terms];
}
