import { posix } from 'node:path';
import type { FileText, Unreadable } from '../../core/ports/workspace-text.ts';
import { isOddPath } from '../../core/text/text.ts';
import { CitedFiles } from '../../text/files/cited-files.ts';
import { type FolderFiles, surveyFiles } from '../../text/files/list-files.ts';
import type { SkippedPath, SkipReason } from '../../text/files/skipped.ts';
import { SecretFilter } from '../../text/secrets/secret-filter.ts';
import { FileTexts } from './file-texts.ts';
import { globPattern, isPatternProblem } from './line-pattern.ts';
import { Refusal } from './tool-arguments.ts';

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

  /** All files that may be seen, and those that are not worth reading: programs may need them. None that may hold secrets. */
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

/** The files that a build made of others, to judge by their names: `dist/a/queue.js` of `src/a/queue.ts`. */
function builtOf(paths: readonly string[]): string[] {
  const [built, others] = [paths.filter((path) => BUILT.test(path)), paths.filter((path) => !BUILT.test(path))];
  if (built.length === 0) return [];
  const endings = new Set(others.flatMap((path) => endingsOf(path)));
  return built.filter((path) => endings.has(withoutExtension(path.split(BUILT).at(-1) ?? '')));
}

/** A path without its extension, and without the folders that it begins with: `src/a/b.ts` is `src/a/b`, `a/b` and `b`. */
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
