import { isUnspaced, segment } from './segment.ts';

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

/** The identifiers of a run, as their words in lower case: several only of a script without spaces between words. */
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
