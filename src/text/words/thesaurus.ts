import { readFileSync } from 'node:fs';
import { isAsking } from './asking.ts';
import { packedTable } from './packed-table.ts';
import { SortedLines } from './sorted-lines.ts';
import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';
import { thesaurusTextOf, unpackThesaurus } from './thesaurus-text.ts';

/** A phrase in a question, and the words that code may have for it. */
export interface Phrase {
  readonly text: string;
  readonly words: readonly string[];
}

/** The longest phrase of the table, in words. */
const MAX_PHRASE = 4;
const WORDS = /[\p{L}\p{N}'-]+/gu;

// Written from general knowledge of English and of programs, without any question or code base at hand. A question looks
// up a few dozen of some ten thousand: the others are never more than text.
const { words, phrases } = openTexts();
/** By their first two letters. */
const read = new Map<string, Stemmed[]>();

interface Stemmed extends Phrase {
  readonly stems: string;
}

function openTexts(): { readonly words: SortedLines; readonly phrases: SortedLines } {
  const packed = packedTable('thesaurus');
  const text = packed ? unpackThesaurus(packed) : thesaurusTextOf(readTable());
  return { words: new SortedLines(text.words), phrases: new SortedLines(text.phrases) };
}

function readTable(): Readonly<Record<string, string>> {
  const file = new URL('../../../data/thesaurus.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
}

/** Returns what code may say for a word in lower case. */
export function meaningsOf(word: string): readonly string[] {
  const [line] = words.beginningWith(`${word}\t`);
  return line === undefined || saysNothing(word) ? [] : line.slice(word.length + 1).split(' ');
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
  const beginning = stems.slice(0, 2);
  const known = read.get(beginning) ?? phrases.beginningWith(beginning).map(stemmed);
  read.set(beginning, known);
  const phrase = known.findLast((one) => one.stems === stems);
  return phrase === undefined || phrase.text.split(' ').every(saysNothing) ? undefined : phrase;
}

function stemmed(line: string): Stemmed {
  const [text = '', meaning = ''] = line.split('\t');
  return { text, words: meaning.split(' '), stems: stemsOf(text).join(' ') };
}

/** Tells whether a question has a word only because it is one. */
function saysNothing(word: string): boolean {
  return STOP_WORDS.has(word) || isAsking(word);
}
