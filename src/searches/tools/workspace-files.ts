import { lstatSync, realpathSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { FileText, Unreadable } from '../../core/ports/workspace-text.ts';
import { isOddPath } from '../../core/text/text.ts';
import { CitedFiles } from '../../text/files/cited-files.ts';
import { type FolderFiles, surveyFiles } from '../../text/files/list-files.ts';
import { readText, splitLines } from '../../text/files/read-text.ts';
import { isGenerated, type SkippedPath, type SkipReason } from '../../text/files/skipped-files.ts';
import { SecretFilter } from '../../text/secrets/secret-filter.ts';
import type { HiddenText } from '../../text/secrets/spans.ts';
import { globPattern, isPatternProblem } from './line-pattern.ts';
import { Refusal } from './toolbox.ts';

/** The time for which a list of files is cached, in milliseconds: several slots read at the same time. */
const LIST_MS = 5000;

const WHY: Readonly<Record<Unreadable, string>> = {
  outside:
    'That path leads out of the workspace, and only the workspace can be read. Give a path relative to it, with /.',
  missing: 'There is no such file. Look with list or search.',
  ignored: 'That file is not for reading: it is ignored, belongs to a search, or usually holds a secret.',
  'too-large': 'That file is larger than 2 MB, too large to be read.',
  'not-text': 'That is not a text file.',
};
/** The sorts of files that are only read by whoever names them: copies, what programs write, and data. */
const IF_NAMED: ReadonlySet<SkipReason> = new Set(['lock', 'changelog', 'test-data', 'vendored', 'generated']);

const IN_COPY: ReadonlySet<SkipReason> = new Set([...IF_NAMED, 'binary', 'too-large']);

/** The files that a use is about. */
export interface Chosen {
  /** Relative to the workspace, with `/`, in order. */
  readonly files: readonly string[];
  /** The other paths there, which are left out. */
  readonly skipped: readonly SkippedPath[];
  /** The folder; undefined if one file was named. */
  readonly folder: string | undefined;
}

/** The files of a workspace that models may see. */
export class WorkspaceFiles {
  readonly texts: FileTexts;
  readonly #folder: string;
  readonly #searches: string | undefined;
  readonly #filter: SecretFilter;
  readonly #cited: CitedFiles;
  #listed: { readonly at: number; readonly files: Promise<Pick<FolderFiles, 'paths' | 'skipped'>> } | undefined;

  /**
   * @param folder the workspace, an absolute path
   * @param allowedFiles as for `SecretFilter`
   * @param searches as for `listFiles`
   */
  constructor(folder: string, allowedFiles: readonly string[] = [], searches?: string) {
    this.#folder = folder;
    this.#searches = searches;
    this.#filter = new SecretFilter(folder, allowedFiles);
    this.#cited = new CitedFiles(folder, allowedFiles, searches);
    this.texts = new FileTexts(folder, this.#filter);
  }

  /**
   * The files below a folder, or the one that is named. Lock files, vendored copies and the like are among them only if the
   * path is theirs.
   * @param written as a model wrote it; empty for the workspace
   * @param glob which of them; all by default
   * @throws Refusal if it leads outside, contains nothing visible, or the glob is none
   */
  async choose(written: string, glob?: string): Promise<Chosen> {
    const path = pathFrom(written);
    const { paths, skipped } = await this.#all();
    const isBelow = (one: string): boolean => path === '' || one === path || one.startsWith(`${path}/`);
    const listed = paths.filter(isBelow);
    const left = skipped.filter(({ path: one }) => isBelow(one));
    const named = listed.length > 0 ? [] : left.filter(({ reason }) => IF_NAMED.has(reason)).map((one) => one.path);
    const files = listed.length > 0 ? listed : named;
    const isFile = files[0] === path;
    if ((files.length === 0 && path !== '') || (isFile && this.texts.sizeOf(path) === undefined))
      throw new Refusal(
        'There is no such file or folder, or it is not for reading: node_modules, ignored files and secrets are not. Look with list.',
      );
    const isMeant = filterOf(glob);
    this.texts.begin();
    return {
      files: files.filter(isMeant),
      skipped: left.filter(({ path: one }) => !named.includes(one) && isMeant(one)),
      folder: isFile ? undefined : path,
    };
  }

  /** @throws Refusal saying why it cannot be read */
  async read(written: string): Promise<FileText & { readonly path: string }> {
    const path = pathFrom(written);
    const found = await this.#cited.read(path);
    if (!('unreadable' in found)) return { ...found, path };
    const { paths } = await this.#all();
    if (paths.some((one) => one.startsWith(`${path}/`)))
      throw new Refusal('That is a folder. See what is in it with list.');
    throw new Refusal(WHY[found.unreadable]);
  }

  /**
   * Returns all files that may be seen, and those that are not worth reading: programs may need them. None that may
   * hold secrets.
   */
  async forCopy(): Promise<readonly string[]> {
    const { paths, skipped } = await this.#all();
    return [...paths, ...skipped.flatMap(({ path, reason }) => (IN_COPY.has(reason) ? path : []))];
  }

  /** Files came or went: what was listed before does not count any more. */
  changed(): void {
    this.#listed = undefined;
  }

  async #survey(): Promise<Pick<FolderFiles, 'paths' | 'skipped'>> {
    const { paths, skipped } = await surveyFiles(this.#folder, this.#filter, this.#searches);
    const built = new Set(builtOf(paths));
    const copies = paths.filter((path) => built.has(path)).map((path) => ({ path, reason: 'generated' as const }));
    return { paths: paths.filter((path) => !built.has(path)), skipped: [...copies, ...skipped] };
  }

  #all(): Promise<Pick<FolderFiles, 'paths' | 'skipped'>> {
    const now = performance.now();
    if (!this.#listed || now - this.#listed.at > LIST_MS) {
      this.#listed = { at: now, files: this.#survey() };
    }
    return this.#listed.files;
  }
}

/**
 * Normalizes a path written by a model: `./src/` is `src`.
 * @throws Refusal if it leads out of the workspace
 */
function pathFrom(written: string): string {
  const steps = written.split('/');
  const isOutside = written.startsWith('/') || /^(~|[a-z]:|file:)/i.test(written) || steps.includes('..');
  if (isOutside || isOddPath(written)) throw new Refusal(WHY.outside);
  return steps.filter((step) => step !== '' && step !== '.').join('/');
}

/** @throws Refusal if it is no glob */
function filterOf(glob: string | undefined): (path: string) => boolean {
  if (glob === undefined) return () => true;
  try {
    const pattern = globPattern(glob);
    return (path) => pattern.find(path) !== undefined;
  } catch (error) {
    if (!isPatternProblem(error)) throw error;
    throw new Refusal(`The glob cannot be used: ${error.message}. Examples are "*.ts" and "src/**/*.py".`);
  }
}

/** Folders that only builds fill. */
const BUILT = /(?:^|\/)(?:dist|umd|cjs|esm|build\/lib)\//i;

/** Returns the files that a build made of others, to judge by their names: `dist/a/queue.js` of `src/a/queue.ts`. */
function builtOf(paths: readonly string[]): string[] {
  const [built, others] = [paths.filter((path) => BUILT.test(path)), paths.filter((path) => !BUILT.test(path))];
  if (built.length === 0) return [];
  const endings = new Set(others.flatMap((path) => endingsOf(path)));
  return built.filter((path) => endings.has(withoutExtension(path.split(BUILT).at(-1) ?? '')));
}

/**
 * Returns a path without its extension, and without the folders that it begins with: `src/a/b.ts` is `src/a/b`, `a/b`
 * and `b`.
 */
function endingsOf(path: string): string[] {
  const steps = withoutExtension(path).split('/');
  return steps.map((_, at) => steps.slice(at).join('/'));
}

function withoutExtension(path: string): string {
  return path.slice(0, path.length - posix.extname(path).length);
}

const REASONS: Readonly<Record<SkipReason, string>> = {
  lock: 'lock file',
  changelog: 'changelog',
  'test-data': 'test data',
  vendored: 'vendored',
  generated: 'built or generated',
  binary: 'no text',
  secret: 'may hold secrets',
  hidden: 'in a hidden folder',
  'odd-name': 'an odd name',
  'too-large': 'too large',
  unreadable: 'unreadable',
  link: 'link',
  closed: 'unreadable',
  repository: 'another repository',
  ignored: 'ignored',
  unasked: 'git could not be asked: its rules were read from their files',
};
/** The number of paths that are named for each reason. */
const EXAMPLES = 2;

/** Says what is left out, as in `package-lock.json (lock file); node_modules/ (dependencies)`; empty if nothing is. */
export function leftOutOf(skipped: readonly SkippedPath[]): string {
  const rules = skipped.filter(({ reason }) => reason === 'ignored');
  const rest = Map.groupBy(
    skipped.filter(({ reason }) => reason !== 'ignored'),
    ({ reason }) => REASONS[reason],
  );
  const told = Array.from(rest, ([why, all]) => {
    const named = all.slice(0, EXAMPLES).map(({ path }) => path.slice(0, 200));
    const more = all.length > named.length ? ` and ${all.length - named.length} more` : '';
    return `${named.join(', ')}${more} (${why})`;
  });
  if (rules.some(({ path }) => path.endsWith('node_modules/'))) told.push('node_modules/ (dependencies)');
  if (rules.some(({ path }) => !path.endsWith('node_modules/'))) told.push('what git ignores');
  return told.join('; ');
}

/** Characters of all texts that are kept. */
const MOST_KEPT = 32_000_000;

/** The text of a file as it is written. */
interface WrittenFile {
  readonly path: string;
  readonly text: string;
  /** Its text shows that a program wrote it. */
  readonly isGenerated: boolean;
  /** Without its secrets. */
  shown(): Promise<HiddenText>;
}

/** When a file was changed last, and what was in it then. */
interface Kept {
  readonly stamp: string;
  readonly file: WrittenFile;
}

/** The texts of listed files, read again only where they changed since: tools look through all of them over and over. */
class FileTexts {
  readonly #folder: string;
  readonly #filter: SecretFilter;
  readonly #kept = new Map<string, Kept>();
  readonly #areReal = new Map<string, boolean>();
  #root: string | undefined;
  #size = 0;

  /** @param folder the workspace, an absolute path */
  constructor(folder: string, filter: SecretFilter) {
    this.#folder = folder;
    this.#filter = filter;
  }

  /** Begins a use: a folder may have become a link since the last one. */
  begin(): void {
    this.#areReal.clear();
  }

  /**
   * Returns the size of a file in bytes; undefined if it is none, or behind a link: its target is listed by itself, or
   * outside.
   */
  sizeOf(path: string): number | undefined {
    const stats = this.#statsOf(path);
    return stats && Number(stats.size);
  }

  /** Returns the text of a listed file; undefined if it is none, too large, or no text. */
  written(path: string): WrittenFile | undefined {
    const stats = this.#statsOf(path);
    if (!stats) return undefined;
    const stamp = [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join();
    const known = this.#kept.get(path);
    if (known?.stamp === stamp) return known.file;
    try {
      const found = readText(this.#placeOf(path));
      if ('unreadable' in found) return undefined;
      const file = new Written(path, found.text, this.#filter);
      this.#keep(path, { stamp, file });
      return file;
    } catch {
      return undefined; // gone, or not to be read
    }
  }

  #statsOf(path: string) {
    try {
      const stats = lstatSync(this.#placeOf(path), { bigint: true });
      return stats.isFile() && this.#isReal(posix.dirname(path)) ? stats : undefined;
    } catch {
      return undefined; // gone, or not to be looked at
    }
  }

  #isReal(folder: string): boolean {
    const known = this.#areReal.get(folder);
    if (known !== undefined) return known;
    const place = this.#placeOf(folder);
    const isReal = realpathSync(place) === place;
    this.#areReal.set(folder, isReal);
    return isReal;
  }

  #placeOf(path: string): string {
    this.#root ??= realpathSync(this.#folder);
    return join(this.#root, ...path.split('/'));
  }

  /** Those that are there first stay: a use looks through all in the same order, so that the oldest is wanted next. */
  #keep(path: string, kept: Kept): void {
    this.#size -= this.#kept.get(path)?.file.text.length ?? 0;
    this.#kept.delete(path);
    if (this.#size + kept.file.text.length > MOST_KEPT) return;
    this.#size += kept.file.text.length;
    this.#kept.set(path, kept);
  }
}

class Written implements WrittenFile {
  readonly path: string;
  readonly text: string;
  readonly #filter: SecretFilter;
  #isGenerated: boolean | undefined;
  #shown: Promise<HiddenText> | undefined;

  constructor(path: string, text: string, filter: SecretFilter) {
    this.path = path;
    this.text = text;
    this.#filter = filter;
  }

  get isGenerated(): boolean {
    this.#isGenerated ??= isGenerated(this.text.replaceAll('\r\n', '\n'));
    return this.#isGenerated;
  }

  shown(): Promise<HiddenText> {
    this.#shown ??= this.#filter.hide(this.path, this.text);
    return this.#shown;
  }
}

/** Returns the lines of a file as people count them: what ends a line begins none. */
export function linesOf(text: string): string[] {
  const lines = splitLines(text);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
