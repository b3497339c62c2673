import type { Folder, ListedFile } from './folder-tree.ts';

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

  /** Its folders that have no lines of their own, and its files; tests beside source as a number. */
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
