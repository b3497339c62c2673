import { isUnspaced, segment } from './segment.ts';

/** What stands together: an identifier, a word, or one word of a script without spaces. */
export interface Identifier {
  /** Its words in lower case, in order. */
  readonly parts: readonly string[];
  /** Whether a single space separates it from the one before. */
  readonly spaced: boolean;
}

// Snake and kebab case hold one name together; so do the numbers of a few standards.
const RUN = /(?:HTTP|http)\/\d|[xX]\.509|[\p{L}\p{M}\p{N}]+(?:[_-][\p{L}\p{M}\p{N}]+)*/gu;
const PLAIN = /^[a-z]+$/;
const SCRIPTS = /[\p{L}\p{M}\p{N}]+/gu;
// The boundaries inside identifiers: timeoutError, XMLParser, utf8Decoder, not IPv4 or URLs. Combining marks stay with
// their letter.
const SEAM =
  /(?<=[\p{Ll}\p{M}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}(?!s(?!\p{Ll}))\p{Ll}(?!\p{N}))|(?<=\p{N})(?=\p{Lu}\p{Ll})/u;
// Names whose capitals are no boundaries.
const NAMES =
  /OAuth|SQLite|GraphQL|GitHub|GitLab|JavaScript|TypeScript|MySQL|PostgreSQL|NoSQL|MongoDB|DevTools|OpenSSL|LaTeX/g;

/** The identifiers of a text, in order. Scripts without spaces between words are segmented. */
export function* identifiersOf(text: string): Generator<Identifier> {
  let end = -1;
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const spaced = index === end + 1 && text[end] === ' ';
    end = index + run.length;
    if (PLAIN.test(run)) yield { parts: [run], spaced };
    else if (isUnspaced(run)) yield* unspaced(run);
    else yield { parts: partsOf(run), spaced };
  }
}

/**
 * The words of a text in lower case, in order. Identifiers are split into words (`timeoutError` → timeout, error); those
 * with numbers stay whole (`IPv4`, `sha256`).
 */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  for (const { parts } of identifiersOf(text)) words.push(...parts);
  return words;
}

function* unspaced(run: string): Generator<Identifier> {
  for (const word of segment(run)) {
    if (isUnspaced(word)) yield { parts: [word], spaced: false };
    else if (/\p{L}|\p{N}/u.test(word)) yield { parts: partsOf(word), spaced: false };
  }
}

function partsOf(run: string): string[] {
  const parts: string[] = [];
  for (const [word] of run.replace(/[./]/, '').matchAll(SCRIPTS)) {
    const named = word.replace(NAMES, (name) => `${name[0]}${name.slice(1).toLowerCase()}`);
    for (const part of named.split(SEAM)) parts.push(part.toLowerCase().normalize('NFC'));
  }
  return parts;
}
