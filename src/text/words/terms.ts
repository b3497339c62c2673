import { splitWords } from './split-words.ts';
import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';

const MAX_WORD = 64;
const stems = new Map<string, string>();

/** The search terms of a text: the stems of its meaningful words. In order, with repeats. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const word of splitWords(text)) {
    const term = termOf(word);
    if (term !== undefined) terms.push(term);
  }
  return terms;
}

/** The search term of one word in lower case; undefined for stop words. */
export function termOf(word: string): string | undefined {
  if (word.length > MAX_WORD || STOP_WORDS.has(word)) return undefined;
  if (word.length < 2 && /^[a-z0-9]$/.test(word)) return undefined;
  let term = stems.get(word);
  if (term === undefined) {
    // The same few thousand words make up most workspaces; the bound is for unusual ones.
    if (stems.size > 100_000) stems.clear();
    term = stem(word);
    stems.set(word, term);
  }
  return term;
}
