// Globs of paths, for plans that may come from anywhere: the usual libraries make regular expressions of them, which take for
// ever on hostile ones. Here the time is at most the product of both lengths.

/** One place of a name: any text, any character, or one of some. */
type Token = '*' | { readonly fits: (char: string) => boolean };
/** The names of a glob's folders; `**` means any number of folders. */
type Pattern = readonly ('**' | readonly Token[])[];

/** The most globs that the braces of one are spelled out to. */
const MOST_SPELLED = 64;
const LONGEST_PATH = 4096;

/**
 * Tells whether paths match any of these globs: `*`, `?`, `[a-z]`, `{a,b}`, and `**` for any folders; also those that
 * begin with a dot. The name of a folder means all that is in it.
 */
export function matcherOf(globs: readonly string[]): (path: string) => boolean {
  const patterns = globs.flatMap((glob) => spelledOut(glob).map(patternOf));
  return (path) => {
    if (path.length > LONGEST_PATH) return false;
    const names = path.split('/');
    return patterns.some((pattern) => matches(pattern, names, (part, name) => part !== '**' && fitsName(part, name)));
  };
}

/** Tells whether it can be told what a glob matches: one whose braces mean too many globs matches nothing. */
export function isMatchable(glob: string): boolean {
  return spelledOut(glob).length > 0;
}

/** Returns the globs without braces that one with braces means; none if there are too many. */
function spelledOut(glob: string): string[] {
  let globs = [glob];
  for (;;) {
    const next = globs.flatMap((each) => choicesIn(each) ?? [each]);
    if (next.length > MOST_SPELLED) return [];
    if (next.length === globs.length) return globs;
    globs = next;
  }
}

/** Expands the first innermost braces that have a comma. */
function choicesIn(glob: string): string[] | undefined {
  const found = /\{([^{},]{0,500},[^{}]{0,500})\}/.exec(glob);
  if (!found) return undefined;
  const [whole, inner = ''] = found;
  const [before, after] = [glob.slice(0, found.index), glob.slice(found.index + whole.length)];
  return inner.split(',').map((choice) => before + choice + after);
}

function patternOf(glob: string): Pattern {
  const names = glob.split('/').filter((name, i) => name !== '' && (name !== '.' || i > 0));
  const parts = names.map((name) => (/^\*{2,}$/.test(name) ? ('**' as const) : tokensOf(name)));
  const isFolder = glob.endsWith('/') || !/[*?[]/.test(names.at(-1) ?? '*');
  return isFolder ? [...parts, '**'] : parts;
}

function tokensOf(name: string): Token[] {
  const tokens: Token[] = [];
  for (let i = 0; i < name.length; i++) {
    const char = name[i] as string;
    const end = char === '[' ? name.indexOf(']', i + 2) : -1;
    if (char === '*') {
      if (tokens.at(-1) !== '*') tokens.push('*');
    } else if (char === '?') tokens.push({ fits: () => true });
    else if (end > 0) {
      tokens.push(classOf(name.slice(i + 1, end)));
      i = end;
    } else tokens.push({ fits: (other) => other === char });
  }
  return tokens;
}

/** Returns one of some characters: `a-z_`, or any but these after `!` or `^`. */
function classOf(inner: string): Token {
  const isNot = /^[!^]/.test(inner);
  const chars = isNot ? inner.slice(1) : inner;
  const ranges: [string, string][] = [];
  for (let i = 0; i < chars.length; i++) {
    const [from, to] = [chars[i] as string, chars[i + 2]];
    if (chars[i + 1] === '-' && to !== undefined) {
      ranges.push([from, to]);
      i += 2;
    } else ranges.push([from, from]);
  }
  return { fits: (char) => ranges.some(([from, to]) => from <= char && char <= to) !== isNot };
}

function fitsName(tokens: readonly Token[], name: string): boolean {
  return matches(tokens, name, (token, char) => token !== '*' && token.fits(char));
}

/** Tells whether a pattern fits a whole sequence. Where it does not, only its last free place takes one more. */
function matches<P, E extends string>(
  pattern: ArrayLike<P>,
  whole: ArrayLike<E>,
  fits: (part: P, element: E) => boolean,
): boolean {
  const isFree = (part: P | undefined): boolean => part === '*' || part === '**';
  let at = 0;
  let lastFree = -1;
  let taken = 0;
  for (let i = 0; i < whole.length; ) {
    if (at < pattern.length && isFree(pattern[at])) {
      lastFree = at++;
      taken = i;
    } else if (at < pattern.length && fits(pattern[at] as P, whole[i] as E)) {
      at++;
      i++;
    } else if (lastFree >= 0) {
      at = lastFree + 1;
      i = ++taken;
    } else return false;
  }
  while (at < pattern.length && isFree(pattern[at])) at++;
  return at === pattern.length;
}
