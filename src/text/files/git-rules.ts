import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { readBounded } from './read-text.ts';

/** Rules longer than this are nobody's own. */
const LONGEST_RULES = 1_000_000;
/** Settings that include others. */
const MOST_INCLUDED = 5;

/** A repository of git's, and where in it a folder is. */
export interface Repository {
  /** The real path of its top. */
  readonly top: string;
  /** The beginning of paths from the top to something in the folder: empty, or with `/` at its end. */
  readonly prefix: string;
  /** Those of its rules that the folder does not hold itself. */
  readonly rules: Rules | undefined;
  /** True if rules leave out the whole folder. Who searches it all the same wants to: they are not among `rules`. */
  readonly leavesOut: boolean;
}

/** The rules of one file by which something is left out; they are asked about paths from the top. */
export interface Rules {
  /** Their name, as a person is told. */
  readonly name: string;
  /** The folder that they are of: empty, or with `/` at its end. */
  readonly base: string;
  readonly text: string;
  readonly rules: Ignore;
  /** Those that are asked where these say nothing. */
  readonly above: Rules | undefined;
}

/** Returns the repository that a folder is in; undefined if it is in none. */
export function repositoryOf(folder: string): Repository | undefined {
  try {
    const real = realpathSync.native(folder);
    for (let top = real; ; top = dirname(top)) {
      if (isTop(top)) return repositoryAt(top, relative(top, real).split(sep));
      if (top === dirname(top)) return undefined;
    }
  } catch {
    return undefined;
  }
}

/** Tells whether a folder is the top of a repository: as with git, a `.git` that is empty or leads nowhere makes it none. */
function isTop(folder: string): boolean {
  if (!existsSync(join(folder, '.git'))) return false;
  return lstatSync(join(gitFolder(folder), 'HEAD'), { throwIfNoEntry: false }) !== undefined;
}

/** @param steps from its top to the folder */
function repositoryAt(top: string, steps: readonly string[]): Repository {
  let rules = rulesOfRepository(top, '', undefined);
  let leavesOut = false;
  let prefix = '';
  for (const [place, step] of steps.entries()) {
    if (step === '') continue;
    rules = rulesIn(join(top, prefix), prefix, rules, `${'../'.repeat(steps.length - place)}.gitignore`);
    prefix += `${step}/`;
    leavesOut ||= ignoredBy(prefix, rules) !== undefined;
  }
  return { top, prefix, rules: leavesOut ? withoutThoseOf(prefix, rules) : rules, leavesOut };
}

/**
 * Adds the rules of a repository that no folder of it holds: those of a person for all of their repositories, and those for
 * this one.
 * @param base its place from where paths begin
 */
export function rulesOfRepository(top: string, base: string, above: Rules | undefined): Rules | undefined {
  const folder = gitFolder(top);
  const own = added('core.excludesFile', base, textOf(personalRules(top, folder)), above);
  return added('.git/info/exclude', base, textOf(join(folder, 'info/exclude')), own);
}

/** Adds the rules that a folder holds, if it does. @param base its place from where paths begin */
export function rulesIn(
  folder: string,
  base: string,
  above: Rules | undefined,
  name = `${base}.gitignore`,
): Rules | undefined {
  try {
    // As with git, one that is a link is none.
    return added(name, base, readRules(join(folder, '.gitignore')), above);
  } catch {
    return above;
  }
}

/** Returns the name of the rules that leave a path out. As git does it: the closest that say anything decide. */
export function ignoredBy(path: string, rules: Rules | undefined): string | undefined {
  for (let one = rules; one; one = one.above) {
    const { ignored, unignored } = one.rules.test(path.slice(one.base.length));
    if (ignored || unignored) return ignored ? one.name : undefined;
  }
  return undefined;
}

/** Returns the names of all of these. */
export function namesOf(rules: Rules | undefined): string[] {
  return rules === undefined ? [] : [rules.name, ...namesOf(rules.above)];
}

function added(name: string, base: string, text: string | undefined, above: Rules | undefined): Rules | undefined {
  // The file that git puts into each new repository has only comments.
  if (text === undefined || !/^[^#\s]/m.test(text)) return above;
  return { name, base, text, rules: ignore({ allowRelativePaths: true }).add(text), above };
}

function withoutThoseOf(folder: string, rules: Rules | undefined): Rules | undefined {
  if (rules === undefined) return undefined;
  const { name, base, text, above } = rules;
  const isOfOthers = (line: string): boolean => !ignore().add(line).ignores(folder.slice(base.length));
  return added(name, base, text.split('\n').filter(isOfOthers).join('\n'), withoutThoseOf(folder, above));
}

/** Returns the folder of git's own for what all work trees of a repository share: `.git`, or where it leads. */
function gitFolder(top: string): string {
  const own = join(top, '.git');
  const link = /^gitdir: (.*)/.exec(textOf(own) ?? '')?.[1];
  const folder = link === undefined ? own : resolve(top, link);
  return resolve(folder, textOf(join(folder, 'commondir'))?.trim() ?? '');
}

/**
 * Returns the file with the rules of a person for all of their repositories, as git's settings name it: the last of
 * them decides.
 */
function personalRules(top: string, gitFolder: string): string {
  const { XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL } = process.env;
  const own = join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'git');
  const ofPerson = GIT_CONFIG_GLOBAL ? [GIT_CONFIG_GLOBAL] : [join(own, 'config'), join(homedir(), '.gitconfig')];
  const settings = ['/etc/gitconfig', ...ofPerson, join(gitFolder, 'config')];
  const named = settings.flatMap((file) => excludesFilesIn(file)).at(-1);
  return named === undefined ? join(own, 'ignore') : placeFrom(top, named);
}

/**
 * The values of `core.excludesFile` in a file of settings and in those that it includes. Conditions of these are taken to
 * hold.
 */
function excludesFilesIn(file: string, depth = 0): string[] {
  // As with git, a mark joins lines, and a section may begin on the line of its first setting.
  const text = (textOf(file) ?? '').replace(/\\\r?\n/g, '');
  let section = '';
  return text.split('\n').flatMap((line) => {
    const [head = '', begun] = /^\s{0,20}\[([^\]]{1,1000})\]/.exec(line) ?? [];
    section = begun?.trim().split(/\s/)[0]?.toLowerCase() ?? section;
    const [, name = '', written = ''] =
      /^\s{0,20}([a-z]{1,20})\s{0,20}=(.{0,1000})/i.exec(line.slice(head.length)) ?? [];
    const value = written.replace(/"([^"]*)"|[#;].*/g, '$1').trim();
    const setting = `${section}.${name.toLowerCase()}`;
    if (value === '') return [];
    if (setting === 'core.excludesfile') return [value];
    const isIncluded = /^include(?:if)?\.path$/.test(setting) && depth < MOST_INCLUDED;
    return isIncluded ? excludesFilesIn(placeFrom(dirname(file), value), depth + 1) : [];
  });
}

/** Returns a path as settings of git name it. */
function placeFrom(folder: string, path: string): string {
  return resolve(folder, path.replace(/^~(?=\/)/, homedir()));
}

/** Returns the text of a small file, links followed; undefined if it is none. */
function textOf(file: string): string | undefined {
  try {
    return readRules(realpathSync(file));
  } catch {
    return undefined;
  }
}

/** Reads a file as git does: without a byte order mark. */
function readRules(file: string): string | undefined {
  return readBounded(file, LONGEST_RULES)
    ?.toString('utf8')
    .replace(/^\uFEFF/, '');
}
