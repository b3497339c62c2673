import { isCompound } from './compounds.ts';
import { identifiersOf } from './split-words.ts';
import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';
import { simplified } from './tables/traditional.ts';
import { isFunctionWord } from './translate.ts';

const MAX_WORD = 64;
/** Beyond this, letters and digits in turn are no name but a hash. */
const MAX_PIECES = 4;
const stems = new Map<string, string>();

/**
 * The search terms of a text: the stems of its meaningful words, in order, with repeats. After a name of two words comes
 * the name as one word, after two words that are as often one that one, and after a word with digits its letters.
 */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  const add = (word: string): void => {
    const term = termOf(word);
    if (term !== undefined) terms.push(term);
  };
  let before = '';
  for (const { parts, spaced } of identifiersOf(text)) {
    for (const part of parts) {
      add(part);
      for (const piece of piecesOf(part)) add(piece);
    }
    for (const joined of joinedIn(parts)) add(joined);
    const [alone = ''] = parts.length === 1 ? parts : [];
    if (spaced && isCompound(before, alone)) add(before + alone);
    before = alone;
  }
  return terms;
}

/** The names as one word that the words of an identifier make: of all of them if they are two, else of known pairs. */
export function joinedIn(parts: readonly string[]): string[] {
  const [first = '', second = ''] = parts;
  if (parts.length === 2) return /^\p{L}/u.test(first) && first.length + second.length > 3 ? [first + second] : [];
  return parts.flatMap((part, place) => {
    const next = parts[place + 1];
    return next !== undefined && isCompound(part, next) ? [part + next] : [];
  });
}

/** The words of letters in a word with digits, and those with the digits after them: base64url → base, base64, url. */
export function piecesOf(word: string): string[] {
  if (!/\d/.test(word)) return [];
  const pieces = word.match(/\d+|\D+/g) ?? [];
  if (pieces.length < 2 || pieces.length > MAX_PIECES) return [];
  const words: string[] = [];
  pieces.forEach((piece, place) => {
    if (/^\d/.test(piece) || piece.length < 2) return;
    words.push(piece);
    const digits = pieces[place + 1];
    if (digits !== undefined && pieces.length > 2) words.push(piece + digits);
  });
  return words;
}

/** The search term of one word in lower case; undefined for stop words. */
export function termOf(word: string): string | undefined {
  if (word.length > MAX_WORD || STOP_WORDS.has(word)) return undefined;
  if (word.length < 2 && /^[a-z0-9]$/.test(word)) return undefined;
  let term = stems.get(word);
  if (term === undefined) {
    const plain = simplified(word);
    if (isFunctionWord(plain)) return undefined;
    // The same few thousand words make up most workspaces; the bound is for unusual ones.
    if (stems.size > 100_000) stems.clear();
    term = stem(plain);
    stems.set(word, term);
  }
  return term;
}
