import { CHINESE } from './tables/chinese.ts';
import { JAPANESE } from './tables/japanese.ts';
import { KOREAN } from './tables/korean.ts';
import { simplified } from './tables/traditional.ts';

/** The English words of one word, in order, each with others that translate it as well. Empty for a function word. */
export type Translation = readonly (readonly string[])[];

const SHORTEST_KOREAN = 2;
const words = new Map<string, Translation>();
let longest = 1;

// A later table does not change what an earlier one says: Chinese and Japanese share characters.
for (const table of [CHINESE, JAPANESE, KOREAN])
  for (const entry of table.split(/[,\n]/)) {
    const [word, ...english] = entry.trim().split(' ');
    if (!word) continue;
    const key = simplified(word);
    if (words.has(key)) continue;
    words.set(
      key,
      english.filter((each) => each !== '-').map((each) => each.split('/')),
    );
    longest = Math.max(longest, key.length);
  }

/** In characters. */
export const LONGEST_TABLE_WORD = longest;

/** Tells whether the tables have a word, in simplified characters. */
export function isTableWord(word: string): boolean {
  return words.has(word);
}

/** Tells whether the tables say that a word only serves a sentence. */
export function isFunctionWord(word: string): boolean {
  return words.get(word)?.length === 0;
}

/** Returns the word of code for a Chinese, Japanese or Korean one; undefined for one that no table has. */
export function translationOf(original: string): Translation | undefined {
  const word = simplified(original);
  const found = words.get(word);
  if (found || !/^\p{Script=Hangul}+$/u.test(word)) return found;
  // Korean words carry their particles.
  for (let length = word.length - 1; length >= SHORTEST_KOREAN; length--) {
    const begun = words.get(word.slice(0, length));
    if (begun) return begun;
  }
  return undefined;
}
