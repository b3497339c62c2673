import { isTableWord, LONGEST_TABLE_WORD, simplified } from './translate.ts';

// Snake and kebab case hold one name together; so do the numbers of a few standards.
const RUN = /(?:HTTP|http)\/\d|[xX]\.509|[\p{L}\p{M}\p{N}]+(?:[_-][\p{L}\p{M}\p{N}]+)*/gu;
// A run of ASCII, which most lines are: several times as fast.
const ASCII_RUN = /(?:HTTP|http)\/\d|[xX]\.509|[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*/g;
const NOT_ASCII = /[^\t -~]/;
const PLAIN = /^[a-z]+$/;
const ASCII = /^[\w./-]+$/;
const LETTERS = /[\p{L}\p{M}\p{N}]+/gu;
const ASCII_LETTERS = /[A-Za-z0-9]+/g;
/** A word of ASCII without a boundary inside. */
const ONE_WORD = /^(?:[A-Z]?[a-z0-9]+|[A-Z0-9]+)$/;
// The boundaries inside identifiers: timeoutError, XMLParser, utf8Decoder, not IPv4 or URLs. Combining marks stay with
// their letter.
const SEAM =
  /(?<=[\p{Ll}\p{M}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}(?!s(?!\p{Ll}))\p{Ll}(?!\p{N}))|(?<=\p{N})(?=\p{Lu}\p{Ll})/u;
// The boundaries in ASCII, which most names are: several times as fast.
const ASCII_SEAM = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z](?!s(?![a-z]))[a-z](?![0-9]))|(?<=[0-9])(?=[A-Z][a-z])/;
// Names whose capitals are no boundaries.
const NAMES =
  /OAuth|SQLite|GraphQL|GitHub|GitLab|JavaScript|TypeScript|MySQL|PostgreSQL|NoSQL|MongoDB|DevTools|OpenSSL|LaTeX/g;

/** Splits a text into what stands together: identifiers, and longer runs of scripts without spaces between words. */
export function runsOf(text: string): readonly string[] {
  return text.match(NOT_ASCII.test(text) ? RUN : ASCII_RUN) ?? [];
}

/**
 * Returns the identifiers of a run, as their words in lower case: several only of a script without spaces between
 * words.
 */
export function identifiersIn(run: string): (readonly string[])[] {
  if (PLAIN.test(run)) return [[run]];
  if (ASCII.test(run) || !isUnspaced(run)) return [partsOf(run)];
  return segment(run).flatMap((word) => {
    if (isUnspaced(word)) return [[word]];
    return /\p{L}|\p{N}/u.test(word) ? [partsOf(word)] : [];
  });
}

/**
 * The words of a text in lower case, in order. Identifiers are split into words (`timeoutError` → timeout, error); those
 * with numbers stay whole (`IPv4`, `sha256`).
 */
export function splitWords(text: string): string[] {
  return runsOf(text).flatMap((run) => identifiersIn(run).flat());
}

function partsOf(run: string): string[] {
  const isAscii = ASCII.test(run);
  const parts: string[] = [];
  for (const word of run.replace(/[./]/, '').match(isAscii ? ASCII_LETTERS : LETTERS) ?? []) {
    if (ONE_WORD.test(word)) {
      parts.push(word.toLowerCase());
      continue;
    }
    const named = word.replace(NAMES, (name) => `${name[0]}${name.slice(1).toLowerCase()}`);
    if (isAscii) for (const part of named.split(ASCII_SEAM)) parts.push(part.toLowerCase());
    else for (const part of named.split(SEAM)) parts.push(part.toLowerCase().normalize('NFC'));
  }
  return parts;
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const KATAKANA = /^[\p{Script=Katakana}ー]+$/u;
/** Stretches of one kind; the mark that lengthens a vowel belongs to no script. */
const STRETCH =
  /[\p{Script=Katakana}ー]+|[\p{Script=Hiragana}\p{Script=Han}々]+|[^\p{Script=Katakana}ー\p{Script=Hiragana}\p{Script=Han}々]+/gu;

const segmenters = new Map<string, Intl.Segmenter>();

/** Tells whether a run of letters is of a script that puts no spaces between words. */
function isUnspaced(run: string): boolean {
  return UNSPACED.test(run);
}

/**
 * The words of a run without spaces, in order: the longest that the tables of programmers' words know, and between them
 * those that `Intl.Segmenter` finds. What is of another script in it comes as it is.
 */
function segment(run: string): string[] {
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

/**
 * Returns the length of the longest word of the tables at a place; 0 for none. A single character may belong to any
 * word.
 */
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
