import { simplified } from './tables/traditional.ts';
import { isTableWord, LONGEST_TABLE_WORD } from './translate.ts';

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const KATAKANA = /^[\p{Script=Katakana}ー]+$/u;
/** Stretches of one kind; the mark that lengthens a vowel belongs to no script. */
const STRETCH =
  /[\p{Script=Katakana}ー]+|[\p{Script=Hiragana}\p{Script=Han}々]+|[^\p{Script=Katakana}ー\p{Script=Hiragana}\p{Script=Han}々]+/gu;

const segmenters = new Map<string, Intl.Segmenter>();

/** Tells whether a run of letters is of a script that puts no spaces between words. */
export function isUnspaced(run: string): boolean {
  return UNSPACED.test(run);
}

/**
 * The words of a run without spaces, in order: the longest that the tables of programmers' words know, and between them
 * those that `Intl.Segmenter` finds. What is of another script in it comes as it is.
 */
export function segment(run: string): string[] {
  const locale = KANA.test(run) ? 'ja' : 'zh';
  const words: string[] = [];
  for (const [stretch] of run.normalize('NFC').matchAll(STRETCH)) {
    if (KATAKANA.test(stretch)) words.push(...ofLoans(stretch));
    else if (KANA.test(stretch) || /\p{Script=Han}/u.test(stretch)) words.push(...byTables(stretch, locale));
    else if (UNSPACED.test(stretch)) words.push(...bySegmenter(stretch.toLowerCase(), locale));
    else words.push(stretch);
  }
  return words;
}

/** Loan words stand together: they are cut only if the table knows every part of them. */
function ofLoans(stretch: string): string[] {
  const words: string[] = [];
  for (let at = 0; at < stretch.length; ) {
    const length = longestAt(stretch, at);
    if (length === 0) return bySegmenter(stretch, 'ja');
    words.push(stretch.slice(at, at + length));
    at += length;
  }
  return words;
}

function byTables(stretch: string, locale: string): string[] {
  const plain = simplified(stretch);
  const words: string[] = [];
  let from = 0;
  for (let at = 0; at < stretch.length; ) {
    const length = longestAt(plain, at);
    if (length === 0) {
      at++;
      continue;
    }
    if (from < at) words.push(...bySegmenter(stretch.slice(from, at), locale));
    words.push(stretch.slice(at, at + length));
    at += length;
    from = at;
  }
  if (from < stretch.length) words.push(...bySegmenter(stretch.slice(from), locale));
  return words;
}

/** The length of the longest word of the tables at a place; 0 for none. A single character may belong to any word. */
function longestAt(text: string, at: number): number {
  for (let length = Math.min(LONGEST_TABLE_WORD, text.length - at); length > 1; length--)
    if (isTableWord(text.slice(at, at + length))) return length;
  return 0;
}

function bySegmenter(text: string, locale: string): string[] {
  let segmenter = segmenters.get(locale);
  if (!segmenter) {
    segmenter = new Intl.Segmenter(locale, { granularity: 'word' });
    segmenters.set(locale, segmenter);
  }
  const words: string[] = [];
  let single = '';
  for (const { segment: word } of segmenter.segment(text)) {
    const alone = [...word].length === 1 && !isTableWord(simplified(word));
    // Words missing from its dictionary fall apart into characters: they are found by their pairs of neighbours.
    if (alone && single !== '') words.push(`${[...single].at(-1)}${word}`);
    else if (!alone) words.push(...lonely(single), word);
    single = alone ? single + word : '';
  }
  words.push(...lonely(single));
  return words;
}

/** A character without a neighbour is a word after all. */
function lonely(single: string): string[] {
  return [...single].length === 1 ? [single] : [];
}
