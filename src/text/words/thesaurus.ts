import { readFileSync } from 'node:fs';
import { isAsking } from './asking.ts';
import { packedTable } from './packed-table.ts';
import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';

/** A phrase in a question, and the words that code may have for it. */
export interface Phrase {
  readonly text: string;
  readonly words: readonly string[];
}

/** The longest phrase of the table, in words. */
const MAX_PHRASE = 4;
const WORDS = /[\p{L}\p{N}'-]+/gu;

// How people speak, and what code says for it: a key has the forms that no stemmer joins, with | between them. Written
// from general knowledge of English and of programs, without any question or code base at hand. A question looks up a few
// dozen of some ten thousand: what is worked out of a form waits until then.
const words = new Map<string, string>();
/** Phrases by their first two letters, which stemming leaves. */
const phrases = new Map<string, { text: string; meaning: string; stems?: string }[]>();
for (const [forms, meaning] of Object.entries(readTable()))
  for (const form of forms.split('|'))
    if (!form.includes(' ')) words.set(form, meaning);
    else {
      const others = phrases.get(form.slice(0, 2));
      if (others) others.push({ text: form, meaning });
      else phrases.set(form.slice(0, 2), [{ text: form, meaning }]);
    }

function readTable(): Readonly<Record<string, string>> {
  const text = packedTable('thesaurus') ?? readFileSync(new URL('./tables/thesaurus.json', import.meta.url));
  return JSON.parse(text.toString()) as Record<string, string>;
}

/** What code may say for a word in lower case. */
export function meaningsOf(word: string): readonly string[] {
  const meaning = words.get(word);
  return meaning === undefined || saysNothing(word) ? [] : meaning.split(' ');
}

/** The phrases in a text in lower case, the longest at each place. */
export function spokenPhrases(text: string): Phrase[] {
  const stems = stemsOf(text);
  const found = new Map<string, Phrase>();
  stems.forEach((_, at) => {
    for (let size = Math.min(MAX_PHRASE, stems.length - at); size > 1; size--) {
      const phrase = phraseOf(stems.slice(at, at + size).join(' '));
      if (!phrase) continue;
      found.set(phrase.text, phrase);
      break;
    }
  });
  return [...found.values()];
}

/** The stems of all words, also of those that are no search terms. */
export function stemsOf(text: string): string[] {
  return (text.match(WORDS) ?? []).map(stem);
}

function phraseOf(stems: string): Phrase | undefined {
  const { text, meaning } =
    phrases.get(stems.slice(0, 2))?.findLast((one) => {
      one.stems ??= stemsOf(one.text).join(' ');
      return one.stems === stems;
    }) ?? {};
  if (text === undefined || meaning === undefined || text.split(' ').every(saysNothing)) return undefined;
  return { text, words: meaning.split(' ') };
}

/** Whether a question has a word only because it is one. */
function saysNothing(word: string): boolean {
  return STOP_WORDS.has(word) || isAsking(word);
}
