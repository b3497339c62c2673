import { type FileRole, roleOf } from '../files/file-role.ts';
import { languageName, languageOf } from '../files/languages.ts';
import type { Skipped, SkipReason } from '../files/skipped-files.ts';

/** A file of a folder, as an overview lists it. */
interface ListedFile {
  readonly name: string;
  readonly role: FileRole;
  /** Undefined where nobody counted them. */
  readonly lines: number | undefined;
  /** Why it is no source, such as `built`; empty for most. */
  readonly mark: string;
}

/** A folder with what is below it. */
export interface Folder {
  /** Relative to the workspace, with `/` at its end; empty for the workspace. */
  readonly path: string;
  readonly folders: Folder[];
  readonly files: ListedFile[];
  /** The number of files below it, and of the lines that people wrote in them. */
  count: number;
  lines: number;
  /** Lines below it, of which those of source count most: what its details are worth. */
  weight: number;
  /** Lines of code below it by language, without copies that were built. */
  readonly languages: Map<string, number>;
  /** Why all of it is no source, such as `vendored`; empty for most. */
  mark: string;
}

/** The weights in `weight` of the lines of a role. */
const WORTH: Readonly<Record<FileRole, number>> = { source: 1, docs: 0.1, test: 0.05, config: 0.05 };
/** Lines that nobody counted; more lines of one file than these add little. */
const [UNCOUNTED, LARGE] = [20, 2000];
/** The marks of files that are left out of searches, but are there to be seen. */
const MARKS: Partial<Record<SkipReason, string>> = {
  changelog: '',
  generated: 'generated',
  vendored: 'vendored',
  'test-data': 'test data',
  'too-large': 'too large to search',
  repository: 'another repository',
};
const MAP = /\.map$/;
const MINIFIED = /\.(?:min|bundle)\.\w+$/;
/** Languages without a grammar of ours that are code all the same. */
const ALSO_CODE =
  /\.(?:html?|vue|svelte|astro|sql|proto|graphql|s[ac]ss|less|dart|zig|hs|ml|clj[cs]?|erl|jl|r|f90|m|mm|cu|sol|nim|tcl|el|fs|vb|groovy|tf|nix|vim)$/i;
/** Folders that often hold what was built from others. */
const OF_BUILDS = /^(?:dist|build|built|out|output|lib|es|esm?|esm\d+|cjs|umd|amd|bundles?)$/;
const OF_SOURCES = /(?:^|\/)(?:src|source|sources)\//;
/** The share of a folder's files that have a namesake elsewhere, if it is a copy. */
const COPIED = 0.5;

export interface TreeInput {
  /** Of every file that is searched, and every generated one. */
  readonly lines: ReadonlyMap<string, number>;
  /** Every file that is searched. */
  readonly searched: readonly string[];
  readonly skipped: readonly Skipped[];
  /** Files that look bundled. */
  readonly bundles: ReadonlySet<string>;
}

/** Returns the folders of a workspace, all of them, with their files. */
export function folderTree({ lines, searched, skipped, bundles }: TreeInput): Folder {
  const root = emptyFolder('', '');
  const folders = new Map([['', root]]);
  const builds = buildFolders(searched);
  const maps = new Set(skipped.flatMap(({ paths }) => paths.filter((path) => MAP.test(path))));
  const put = (path: string, mark: string): void => {
    const isBuilt = bundles.has(path) || (mark === 'generated' && (maps.has(`${path}.map`) || MINIFIED.test(path)));
    add(path, isBuilt ? 'built' : mark, lines.get(path), folders, builds);
  };
  for (const path of searched) put(path, '');
  for (const { reason, paths } of skipped) {
    const mark = MARKS[reason];
    if (mark !== undefined) for (const path of paths) if (!MAP.test(path)) put(path.replace(/\/$/, ''), mark);
  }
  return sumUp(root);
}

function emptyFolder(path: string, mark: string): Folder {
  return { path, folders: [], files: [], count: 0, lines: 0, weight: 0, languages: new Map(), mark };
}

function add(
  path: string,
  mark: string,
  lines: number | undefined,
  folders: Map<string, Folder>,
  builds: ReadonlySet<string>,
): void {
  const above = path.slice(0, path.lastIndexOf('/') + 1);
  const folder = folderAt(above, folders, builds);
  folder.files.push({ name: path.slice(above.length), role: roleOf(path), lines, mark: mark || folder.mark });
}

function folderAt(path: string, folders: Map<string, Folder>, builds: ReadonlySet<string>): Folder {
  const known = folders.get(path);
  if (known) return known;
  const above = folderAt(path.slice(0, path.lastIndexOf('/', path.length - 2) + 1), folders, builds);
  const folder = emptyFolder(path, above.mark || (builds.has(path) ? 'built' : ''));
  above.folders.push(folder);
  folders.set(path, folder);
  return folder;
}

/** Adds up what is below each folder, and sorts: files with the most lines first, folders by path. */
function sumUp(folder: Folder): Folder {
  const own = folder.files;
  for (const { name, role, lines, mark } of own) {
    const counted = lines ?? UNCOUNTED;
    folder.weight += (mark === '' ? WORTH[role] : 0.01) * Math.min(counted, LARGE);
    if (mark !== '') continue;
    folder.lines += lines ?? 0;
    if ((role === 'source' || role === 'test') && isCode(name)) addTo(folder.languages, languageName(name), lines ?? 0);
  }
  folder.count = own.length;
  for (const below of folder.folders) {
    sumUp(below);
    folder.count += below.count;
    folder.lines += below.lines;
    folder.weight += below.weight;
    for (const [language, lines] of below.languages) addTo(folder.languages, language, lines);
  }
  // Where all that it has is marked the same, so is the whole.
  const marks = new Set([...own.map(({ mark }) => mark), ...folder.folders.map(({ mark }) => mark)]);
  if (marks.size === 1 && folder.path !== '') folder.mark = [...marks][0] ?? '';
  own.sort((a, b) => rankOf(a) - rankOf(b) || (b.lines ?? 0) - (a.lines ?? 0) || (a.name < b.name ? -1 : 1));
  folder.folders.sort((a, b) => (a.path < b.path ? -1 : 1));
  return folder;
}

/** Source before prose, and both before settings and copies. */
function rankOf({ role, mark }: ListedFile): number {
  return mark === '' ? { source: 0, test: 0, docs: 1, config: 2 }[role] : 3;
}

/** Tells whether a file is in a language that programs are written in. */
export function isCode(path: string): boolean {
  return languageOf(path) !== undefined || ALSO_CODE.test(path);
}

function addTo(counts: Map<string, number>, name: string, lines: number): void {
  counts.set(name, (counts.get(name) ?? 0) + lines);
}

/** Folders by the names of builds most of whose files have a namesake in a folder of sources. */
function buildFolders(paths: readonly string[]): ReadonlySet<string> {
  const stems = new Map<string, Set<string>>();
  const sources = new Set<string>();
  for (const path of paths) {
    if (roleOf(path) !== 'source') continue;
    if (OF_SOURCES.test(path)) sources.add(stemOf(path));
    const folder = topBuild(path);
    if (folder === undefined || OF_SOURCES.test(folder)) continue;
    const own = stems.get(folder) ?? new Set<string>();
    stems.set(folder, own.add(stemOf(path)));
  }
  const isCopy = (own: ReadonlySet<string>): boolean =>
    [...own].filter((stem) => sources.has(stem)).length >= COPIED * own.size;
  return new Set([...stems].flatMap(([folder, own]) => (isCopy(own) ? [folder] : [])));
}

function topBuild(path: string): string | undefined {
  const steps = path.split('/').slice(0, -1);
  const at = steps.findIndex((step) => OF_BUILDS.test(step));
  return at < 0 ? undefined : `${steps.slice(0, at + 1).join('/')}/`;
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/(?:\.d)?\.\w+$/, '');
}

/** The extent of a folder's lines: how many names in it, and whether its larger folders have lines of their own. */
interface Shown {
  readonly names: number;
  readonly isOpen: boolean;
}

/** At a first look a folder is shown with so many names, at a second one with as many as fit. */
const FEW = [8, 4];
const MANY = [200, 40, 20];
/** Of tests and documents a few names are enough. */
const OF_TESTS = [10];
const MOSTLY_CODE = 0.15;
/** The value of a second look, beside a first one at another folder. */
const SECOND = 0.3;
/** More folders than these are named in one line, rather than a line each. */
const MOST_LINES = 40;
/** A folder with a smaller share of its parent gets no line of its own, unless it says what it is for. */
const SMALL = 0.01;
/** Longer names are of no use in a list. */
const LONGEST_NAME = 100;
/** Files that every project has, and that say nothing of it. */
const NOISE =
  /^(?:licen[cs]e|copying|notice|authors|maintainers|contributors|thanks|sponsors|governance|security|code[-_]of[-_]conduct|gnu-\w)|^\.(?:git|editorconfig|keep|npm|prettier|eslint|cargo|mailmap|nvmrc)|ignore$|^py\.typed$/i;

/** The folders of a workspace as lines of text, which grow as far as there is room. */
export class FolderLines {
  readonly #root: Folder;
  readonly #uses: ReadonlyMap<string, string>;
  readonly #language: string;
  readonly #shown = new Map<Folder, Shown>();

  /** @param uses what folders are for, by path, in a few words */
  constructor(root: Folder, uses: ReadonlyMap<string, string>) {
    this.#root = root;
    this.#uses = uses;
    this.#language = mainLanguage(root);
    this.#shown.set(root, { names: 0, isOpen: false });
  }

  /** The lines as they are now. */
  get lines(): string[] {
    return this.#linesOf(this.#root);
  }

  /**
   * Shows more and more, of the folders that are worth most first.
   * @param fits whether there is room for what is shown now
   * @param boost how much more a folder is worth for the question, from 1
   */
  grow(fits: () => boolean, boost: (folder: Folder) => number): void {
    const waiting = [{ folder: this.#root, worth: 0, isSecond: true }];
    const add = (folder: Folder, isSecond: boolean): void => {
      if (folder.mark === '')
        waiting.push({ folder, worth: folder.weight * boost(folder) * (isSecond ? SECOND : 1), isSecond });
    };
    while (waiting.length > 0) {
      const best = waiting.reduce((a, b) => (b.worth > a.worth ? b : a));
      waiting.splice(waiting.indexOf(best), 1);
      if (best.isSecond) for (const one of this.#open(best.folder, fits)) add(one, false);
      else if (this.#name(best.folder, FEW, fits)) add(best.folder, true);
    }
  }

  #show(folder: Folder, shown: Shown, fits: () => boolean): boolean {
    const before = this.#shown.get(folder);
    this.#shown.set(folder, shown);
    if (fits()) return true;
    if (before) this.#shown.set(folder, before);
    else this.#shown.delete(folder);
    return false;
  }

  #name(folder: Folder, counts: readonly number[], fits: () => boolean): boolean {
    const isOpen = this.#shown.get(folder)?.isOpen ?? false;
    return counts.some((names) => this.#show(folder, { names, isOpen }, fits));
  }

  /** Gives a folder's larger folders lines of their own, which are returned, and shows more names. */
  #open(folder: Folder, fits: () => boolean): readonly Folder[] {
    const below = this.#withLines(folder);
    const names = this.#shown.get(folder)?.names ?? 0;
    const isOpen = below.length > 0 && below.length <= MOST_LINES && this.#show(folder, { names, isOpen: true }, fits);
    const isCode = folder.weight > MOSTLY_CODE * folder.lines;
    this.#name(folder, names === 0 ? [...MANY, ...FEW] : isCode ? MANY : OF_TESTS, fits);
    return isOpen ? below : [];
  }

  #withLines(folder: Folder): Folder[] {
    return folder.folders
      .map(joined)
      .filter((one) => this.#uses.has(one.path) || one.weight >= SMALL * folder.weight || one.mark !== '');
  }

  #linesOf(folder: Folder): string[] {
    const shown = this.#shown.get(folder) ?? { names: 0, isOpen: false };
    const below = shown.isOpen ? this.#withLines(folder) : [];
    const names = this.#names(folder, shown.names, below);
    const lines = below.flatMap((one) => this.#linesOf(one));
    if (folder === this.#root) return [...(names === '' ? [] : [`./: ${names}`]), ...lines];
    return [this.#head(folder) + (names === '' ? '' : `: ${names}`), ...lines];
  }

  #head(folder: Folder): string {
    const { path, count, lines, mark } = folder;
    const use = this.#uses.get(path) ?? '';
    const language = mainLanguage(folder);
    const isOther = language !== '' && language !== this.#language;
    const sums = [
      counted(count, 'file'),
      ...(lines > 0 ? [counted(lines, 'line') + (isOther ? ` of ${language}` : '')] : []),
      ...(mark === '' ? [] : [mark]),
    ];
    return `${path} (${sums.join(', ')})${use === '' ? '' : ` – ${use}`}`;
  }

  /** Returns its folders that have no lines of their own, and its files; tests beside source as a number. */
  #names(folder: Folder, most: number, below: readonly Folder[]): string {
    if (most === 0) return '';
    const folders = folder.folders.map(joined).filter((one) => !below.includes(one));
    const tests = folder.files.filter(({ role }) => role === 'test');
    const isMixed = tests.length > 3 && tests.length < folder.files.length;
    const files = folder.files.filter(({ name, role }) => !NOISE.test(name) && !(isMixed && role === 'test'));
    const ofFolders = folders
      .toSorted((a, b) => b.weight - a.weight)
      .map((one) => `${one.path.slice(folder.path.length)} ${amount(one)}`);
    const ofFiles = files.map((file) => nameOf(file, folder));
    // Beside folders with lines of their own, only small ones are left.
    const all = (below.length > 0 ? [...ofFiles, ...ofFolders] : [...ofFolders, ...ofFiles]).filter(
      (name) => name.length <= LONGEST_NAME,
    );
    const shown = all.slice(0, most);
    const testLines = tests.reduce((sum, { lines = 0 }) => sum + lines, 0);
    if (isMixed) shown.push(`${tests.length} test files ${testLines}`);
    return shown.join(', ') + (all.length > most ? ` and ${all.length - most} more` : '');
  }
}

function amount({ lines, count, mark }: Folder): string {
  const size = lines > 0 ? `${lines}` : counted(count, 'file');
  return mark === '' ? size : `${size} (${mark})`;
}

function nameOf({ name, lines, mark }: ListedFile, folder: Folder): string {
  const own = mark === folder.mark ? '' : mark;
  return [name, ...(lines === undefined ? [] : [`${lines}`]), ...(own === '' ? [] : [`(${own})`])].join(' ');
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** A folder that has nothing but one folder is shown as that. */
function joined(folder: Folder): Folder {
  let one = folder;
  while (one.files.length === 0 && one.folders.length === 1) one = one.folders[0] as Folder;
  return one;
}

/** Returns the language of most of a folder's code; empty if it has none. */
function mainLanguage({ languages }: Folder): string {
  return [...languages].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]?.[0] ?? '';
}
