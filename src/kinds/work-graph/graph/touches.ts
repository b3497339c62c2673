import type { Atom } from './graph.ts';

/** Tells whether two atoms may be worked on at once: they touch no common file, and need no common thing alone. */
export function mayRunTogether(one: Atom, other: Atom): boolean {
  return !one.uses.some((thing) => other.uses.includes(thing)) && !touchesOverlap(one.touches, other.touches);
}

// Tells whether globs may mean the same file. It may be said so where there is no such file, but never the other way
// round: single characters and classes count as any text, and whatever is less common as any files from there on.

/** A glob cut into the names of its folders; `**` means any number of folders. */
type Pattern = readonly string[];

/** Compares two elements of patterns; the rest of the effort is in `left`. */
type Fits = (a: string, b: string, effort: Effort) => boolean;

/** The number of comparisons that may still be made before a common file is assumed. */
interface Effort {
  left: number;
}

/** The most globs that the braces of one are spelled out to; beyond, it counts as any files from there on. */
const MOST_SPELLED = 16;
/** The most comparisons for two lists of globs: some 50 of usual length each. */
const MOST_EFFORT = 50_000;

const ANY_FOLDERS = '**';
const known = new WeakMap<readonly string[], readonly Pattern[]>();

/**
 * Tells whether a path may match a glob of both lists. Globs have `/` and are relative to the same folder; a list that
 * is missing may mean any file. The name of a folder means all that is in it, and neither case nor accents count, since
 * there are disks on which they do not.
 */
export function touchesOverlap(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  if (one?.length === 0 || other?.length === 0) return false;
  if (!one || !other) return true;
  const effort: Effort = { left: MOST_EFFORT };
  const others = patternsOf(other);
  return patternsOf(one).some((a) => others.some((b) => overlap(a, b, ANY_FOLDERS, namesOverlap, effort)));
}

function patternsOf(globs: readonly string[]): readonly Pattern[] {
  const before = known.get(globs);
  if (before) return before;
  const found = globs.flatMap(spelledOut).map(patternOf);
  known.set(globs, found);
  return found;
}

/** Returns the globs without braces that one with braces means. What is not understood is left as a brace. */
function spelledOut(glob: string): string[] {
  let globs = [''];
  let rest = glob;
  for (;;) {
    const start = rest.indexOf('{');
    if (start < 0) return globs.map((each) => each + rest);
    const end = rest.indexOf('}', start);
    const plain = rest.slice(0, start);
    const choices = rest.slice(start + 1, end).split(',');
    const isPlain = end > start && choices.length > 1 && !/[[\]()!+$"\\{]|\.\./.test(plain + choices.join(''));
    if (!isPlain || rest[end + 1] === '+' || globs.length * choices.length > MOST_SPELLED)
      return globs.map((each) => `${each}${plain}{`);
    globs = globs.flatMap((each) => choices.map((choice) => each + plain + choice));
    rest = rest.slice(end + 1);
  }
}

function patternOf(glob: string): Pattern {
  if (glob.startsWith('!')) return [ANY_FOLDERS];
  const pattern: string[] = [];
  for (const name of glob.split('/')) {
    if (name === '' || name === '.') continue;
    const simple = name.replace(/\[[\w^!-][\w-]*\](?!\+)/g, '*').replaceAll('?', '*');
    if (/[()[\]{}|"\\]/.test(simple)) return [...pattern, ANY_FOLDERS];
    pattern.push(simple.includes(ANY_FOLDERS) && name.includes(ANY_FOLDERS) ? ANY_FOLDERS : folded(simple));
  }
  return pattern.at(-1)?.includes('*') ? pattern : [...pattern, ANY_FOLDERS];
}

/** Returns a text of which each character is compared by itself, as the least careful disk does. */
function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().replace(/\*+/g, '*');
}

const namesOverlap: Fits = (one, other, effort) => overlap(one, other, '*', (a, b) => a === b, effort);

/** Tells whether a sequence fits two patterns, in which `free` matches any sequence. */
function overlap(one: ArrayLike<string>, other: ArrayLike<string>, free: string, fits: Fits, effort: Effort): boolean {
  const has = (pattern: ArrayLike<string>) => Array.prototype.includes.call(pattern, free);
  const [isFree, isOtherFree] = [has(one), has(other)];
  if (isFree && isOtherFree)
    return startsFit(one, other, 1, free, fits, effort) && startsFit(one, other, -1, free, fits, effort);
  if (isFree) return fitsAll(one, other, free, fits, effort);
  if (isOtherFree) return fitsAll(other, one, free, fits, effort);
  return one.length === other.length && startsFit(one, other, 1, free, fits, effort);
}

/** Tells whether two patterns fit up to where either is free: everything behind can be had in any order there. */
function startsFit(
  one: ArrayLike<string>,
  other: ArrayLike<string>,
  step: 1 | -1,
  free: string,
  fits: Fits,
  effort: Effort,
): boolean {
  for (let i = 0; i < Math.min(one.length, other.length); i++) {
    const a = one[step > 0 ? i : one.length - 1 - i] as string;
    const b = other[step > 0 ? i : other.length - 1 - i] as string;
    if (a === free || b === free || effort.left-- <= 0) return true;
    if (!fits(a, b, effort)) return false;
  }
  return true;
}

/** Tells whether a pattern fits a whole sequence: where it does not, its last free place takes one more. */
function fitsAll(
  pattern: ArrayLike<string>,
  whole: ArrayLike<string>,
  free: string,
  fits: Fits,
  effort: Effort,
): boolean {
  let at = 0;
  let lastFree = -1;
  let taken = 0;
  for (let i = 0; i < whole.length; ) {
    if (effort.left-- <= 0) return true;
    if (pattern[at] === free) {
      lastFree = at++;
      taken = i;
    } else if (at < pattern.length && fits(pattern[at] as string, whole[i] as string, effort)) {
      at++;
      i++;
    } else if (lastFree >= 0) {
      at = lastFree + 1;
      i = ++taken;
    } else return false;
  }
  while (pattern[at] === free) at++;
  return at === pattern.length;
}
