import { EXAMPLE, isPlaceholder, withoutAlgorithms } from './placeholders.ts';
import { wordiness } from './wordiness.ts';

const DIGIT = /\d/g;
const MARK = /[!#$%^*+?~&@]/g;
/** The characters of passwords: no other script, no control characters. */
const TYPED = /^[\x21-\x7e\u00a1-\u024f]+$/;

/**
 * Tells whether a text looks like a password that a person made up: no spaces, more than letters, or letters in no
 * order; not a path, version or number.
 */
export function isPasswordLike(value: string): boolean {
  if (value.length < 5 || value.length > 200 || !TYPED.test(value)) return false;
  if (!/[A-Za-z]/.test(value) || isPlaceholder(value)) return false;
  const own = withoutAlgorithms(value);
  const digits = countOf(own, DIGIT);
  const marks = countOf(own, MARK);
  if (marks > 0) return true;
  return digits > 0 ? value.length >= 6 : isShuffled(value);
}

/** Tells whether a text looks like a password where something else may be: letters, digits and marks, or no name. */
export function isStrongPassword(value: string): boolean {
  if (value.length < 8 || !isPasswordLike(value)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[!#$%^*+?~&]/].filter((kind) => kind.test(value)).length;
  return /\d/.test(value) && (kinds >= 4 || (kinds === 3 && !isName(value)));
}

/** Words with a number before, after or between them: the name of something. */
export function isName(value: string): boolean {
  const own = withoutAlgorithms(value);
  return /^[A-Za-z_.:/@-]*(?:\d[A-Za-z_.:/@-]*)?$/.test(own) && wordiness(own) > 0.55;
}

/** A long text of anything but words, with any marks: not an expression or a sentence. */
export function isGibberish(value: string): boolean {
  if (value.length < 16 || value.length > 200 || !TYPED.test(value) || /\$\{|[{<]{2}|:\/\//.test(value)) return false;
  const letters = value.match(/[a-z]/gi)?.length ?? 0;
  return (
    letters >= value.length / 4 &&
    (wordiness(value) < 0.4 || isFullOfMarks(value)) &&
    new Set(value).size >= 10 &&
    !EXAMPLE.test(value) &&
    !isAlphabet(value)
  );
}

function isFullOfMarks(value: string): boolean {
  return value.replace(/[\w.\-/:=&]/g, '').length >= 4 && countOf(value, DIGIT) >= 2;
}

/** Only letters, mixing upper and lower case, that do not form words. */
function isShuffled(value: string): boolean {
  return value.length >= 10 && changes(value) >= 2 && wordiness(value) < 0.5;
}

/**
 * Tells whether a text consists of characters that nobody would write by hand: long, without words, mixing kinds of
 * characters. That is also true of hashes and ids: the context has to decide.
 * @param least the minimum number of characters
 */
export function isRandom(value: string, least: number): boolean {
  if (value.length < least || value.length > 4000 || !/^[\w+/=.~:@%!-]+$/.test(value)) return false;
  if (isPlaceholder(value) || isAlphabet(value)) return false;
  if (new Set(value.toLowerCase()).size < Math.min(8, least / 2)) return false;
  const digits = value.replace(/[_-]/g, '');
  if (isHex(digits)) return /\d/.test(digits) && /[a-f]/i.test(digits) && changes(digits) >= digits.length / 6;
  const most = value.length < 20 ? 0.4 : 0.5;
  return wordiness(value) < most && changes(value) >= value.length * (/\d/.test(value) ? 0.15 : 0.2);
}

export function isHex(value: string): boolean {
  return /^(?:0x)?[0-9a-f]+$/i.test(value);
}

export function isUuid(value: string): boolean {
  return /^\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?$/i.test(value);
}

/** Counts how often a text changes from one kind of character to another; a capitalized word counts as one kind. */
function changes(value: string): number {
  let count = 0;
  for (let at = 1; at < value.length; at++) {
    const [a, b] = [kindAt(value, at - 1), kindAt(value, at)];
    if (a !== b && !(a === 'upper' && b === 'lower') && a !== 'mark' && b !== 'mark') count++;
  }
  return count;
}

function kindAt(value: string, at: number): 'lower' | 'upper' | 'digit' | 'mark' {
  const code = value.charCodeAt(at);
  if (code >= 97 && code <= 122) return 'lower';
  if (code >= 65 && code <= 90) return 'upper';
  return code >= 48 && code <= 57 ? 'digit' : 'mark';
}

function isAlphabet(value: string): boolean {
  return /abcdefgh|ijklmnop|qrstuv|23456789|98765432/i.test(value);
}

function countOf(value: string, kind: RegExp): number {
  return value.match(kind)?.length ?? 0;
}
