import { isAsking } from './asking.ts';
import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';
import table from './tables/thesaurus.json' with { type: 'json' };

/** A phrase in a question, and the words that code may have for it. */
export interface Phrase {
  readonly text: string;
  readonly words: readonly string[];
}

/** The longest phrase of the table, in words. */
const MAX_PHRASE = 4;
const WORDS = /[\p{L}\p{N}'-]+/gu;

// How people speak, and what code says for it: a key has the forms that no stemmer joins, with | between them. Written
// from general knowledge of English and of programs, without any question or code base at hand.
const words = new Map<string, readonly string[]>();
const phrases = new Map<string, Phrase>();
for (const [forms, meaning] of Object.entries(table))
  for (const form of forms.split('|'))
    if (form.split(' ').every((word) => STOP_WORDS.has(word) || isAsking(word))) continue;
    else if (form.includes(' ')) phrases.set(stemsOf(form).join(' '), { text: form, words: meaning.split(' ') });
    else words.set(form, meaning.split(' '));

/** What code may say for a word in lower case. */
export function meaningsOf(word: string): readonly string[] {
  return words.get(word) ?? [];
}

/** The phrases in a text in lower case, the longest at each place. */
export function spokenPhrases(text: string): Phrase[] {
  const stems = stemsOf(text);
  const found = new Set<Phrase>();
  stems.forEach((_, at) => {
    for (let size = Math.min(MAX_PHRASE, stems.length - at); size > 1; size--) {
      const phrase = phrases.get(stems.slice(at, at + size).join(' '));
      if (!phrase) continue;
      found.add(phrase);
      break;
    }
  });
  return [...found];
}

/** The stems of all words, also of those that are no search terms. */
export function stemsOf(text: string): string[] {
  return (text.match(WORDS) ?? []).map(stem);
}
