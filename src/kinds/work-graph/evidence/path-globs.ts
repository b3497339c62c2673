import picomatch from 'picomatch/posix.js';

/** Stars in one glob: with many, a hostile one takes long on a long path. */
const MOST_STARS = 12;
const LONGEST_PATH = 1000;

/** Whether it is told what a glob matches; one that is too intricate is said to match nothing. */
export function isMatchable(glob: string): boolean {
  return (glob.match(/[*?{[]/g)?.length ?? 0) <= MOST_STARS;
}

/** Whether paths match any of these globs, also those that begin with a dot. A glob that is too intricate matches nothing. */
export function matcherOf(globs: readonly string[]): (path: string) => boolean {
  const simple = globs.filter(isMatchable);
  const matches = simple.map((glob) => picomatch(glob, { dot: true, noextglob: true, nonegate: true }));
  return (path) => path.length <= LONGEST_PATH && matches.some((match) => match(path));
}
