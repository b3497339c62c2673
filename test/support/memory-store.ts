import { ThoughtTreeError } from '../../src/core/search/errors.ts';
import type { SearchFile } from '../../src/core/search/search-file.ts';
import { nameOf, parentPath } from '../../src/core/tree/slug.ts';
import { checkPath } from '../../src/store/files/file-path.ts';
import {
  type Commit,
  type Entry,
  type FileStat,
  type Files,
  type FileText,
  type FolderLook,
  LONGEST_FILE,
  toFileError,
  tooLong,
  type WriteOptions,
} from '../../src/store/files/files.ts';
import { lookAt } from '../../src/store/files/folders.ts';
import { searchText } from '../../src/store/json/search-json.ts';
import type { WriteRight } from '../../src/store/lease/lease.ts';
import { searchClosed } from '../../src/store/messages.ts';
import { SearchStore } from '../../src/store/search-store.ts';

/**
 * A search in memory; nobody else can write it.
 * @param files to open the same files again
 * @throws ThoughtTreeError `bad-input`
 */
export function createMemoryStore(search: SearchFile, files: MemoryFiles = new MemoryFiles()): SearchStore {
  if (!files.existsNow('search.json')) files.put('search.json', searchText(search));
  files.put('.search/.gitignore', '*\n');
  return new SearchStore(files, soleWriter());
}

function soleWriter(): WriteRight {
  let closed = false;
  return {
    check: () => {
      if (closed) throw new ThoughtTreeError('lease-lost', searchClosed());
    },
    release: async () => {
      closed = true;
    },
  };
}

interface MemoryFile {
  readonly id: number;
  text: string;
  modified: number;
}

/** The names in it. */
type Folder = Set<string>;

/** Files in memory. Every operation costs the same however many there are. */
export class MemoryFiles implements Files {
  readonly root: string;
  /** By path. */
  readonly #entries = new Map<string, MemoryFile | Folder>([['', new Set()]]);
  readonly #now: () => number;
  #made = 0;

  /** @param now milliseconds since 1970 */
  constructor(root = 'memory:', now: () => number = Date.now) {
    this.root = root;
    this.#now = now;
  }

  /** Sets a file's text and creates its folder, synchronously. */
  put(path: string, text: string): void {
    checkPath(path);
    this.#makeFolder(parentPath(path));
    this.#put(path, this.#folder(path), text);
  }

  /** Returns the names in a folder, synchronously. */
  namesNow(path: string): string[] {
    const at = this.#entries.get(path);
    return at instanceof Set ? [...at] : [];
  }

  isFolderNow(path: string): boolean {
    return this.#entries.get(path) instanceof Set;
  }

  /** Removes a file, synchronously. */
  dropFile(path: string): void {
    checkPath(path);
    this.#remove(path);
  }

  /** Removes a folder and everything in it, synchronously. */
  drop(path: string): void {
    checkPath(path);
    for (const each of [...this.#entries.keys()]) if (each.startsWith(`${path}/`)) this.#entries.delete(each);
    this.#remove(path);
  }

  async read(path: string): Promise<string | undefined> {
    return this.readNow(path);
  }

  readNow(path: string): string | undefined {
    const text = this.#file(path, 'read')?.text;
    if (text !== undefined && text.length > LONGEST_FILE) throw tooLong(this.#name(path));
    return text;
  }

  existsNow(path: string): boolean {
    return this.#at(path) !== undefined;
  }

  identityNow(path: string): string | undefined {
    const at = this.#at(path);
    return at && !(at instanceof Set) ? String(at.id) : undefined;
  }

  async readBytes(path: string, offset: number, length: number): Promise<Uint8Array> {
    return Buffer.from(this.#file(path, 'read')?.text ?? '').subarray(offset, offset + length);
  }

  async stat(path: string): Promise<FileStat | undefined> {
    const at = this.#at(path);
    if (at === undefined) return undefined;
    if (at instanceof Set) return { kind: 'folder', size: 0, modified: 0 };
    return { kind: 'file', size: Buffer.byteLength(at.text), modified: at.modified };
  }

  async list(path: string): Promise<Entry[]> {
    checkPath(path);
    const folder = this.#entries.get(path);
    if (!(folder instanceof Set)) return [];
    const kindOf = (name: string): Entry['kind'] =>
      this.isFolderNow(path === '' ? name : `${path}/${name}`) ? 'folder' : 'file';
    return Array.from(folder, (name) => ({ name, kind: kindOf(name) }));
  }

  async look(path: string, names: readonly string[], held: string): Promise<FolderLook> {
    const quick = {
      text: (file: string) => this.readNow(file),
      isFile: (file: string) => this.existsNow(file) && !this.isFolderNow(file),
    };
    return lookAt(quick, path, await this.list(path), names, held);
  }

  /** None: nothing in memory outlives its process. */
  stampNow(): undefined {}

  async now(): Promise<undefined> {}

  async writeAtomic(path: string, given: FileText, options: WriteOptions = {}): Promise<void> {
    let text = typeof given === 'string' ? given : '';
    if (typeof given !== 'string') for await (const piece of given) text += piece;
    const folder = this.#folder(path);
    if (this.isFolderNow(path)) throw this.#error('EISDIR', path);
    options.beforeCommit?.();
    this.#put(path, folder, text);
  }

  async append(path: string, text: string, commit: Commit = {}): Promise<void> {
    const folder = this.#folder(path);
    const file = this.#file(path, 'write');
    commit.beforeCommit?.();
    this.#put(path, folder, (file?.text ?? '') + text);
  }

  async truncate(path: string, size: number, commit: Commit = {}): Promise<void> {
    const file = this.#file(path, 'write');
    if (!file) throw this.#error('ENOENT', path);
    if (Buffer.byteLength(file.text) <= size) return;
    commit.beforeCommit?.();
    file.text = Buffer.from(file.text).subarray(0, size).toString();
    file.modified = this.#now();
  }

  async createExclusive(path: string, text: string, commit: Commit = {}): Promise<boolean> {
    const folder = this.#folder(path);
    commit.beforeCommit?.();
    if (this.#entries.has(path)) return false;
    this.#put(path, folder, text);
    return true;
  }

  async copy(from: string, to: string, commit: Commit = {}): Promise<boolean> {
    const file = this.#file(from, 'read');
    if (!file) throw this.#error('ENOENT', from);
    return this.createExclusive(to, file.text, commit);
  }

  async makeFolder(path: string, commit: Commit = {}): Promise<void> {
    checkPath(path);
    this.#makeFolder(path, commit);
  }

  #makeFolder(path: string, commit: Commit = {}): void {
    const missing: string[] = [];
    for (let at = path; !this.isFolderNow(at); at = parentPath(at)) {
      if (this.#entries.has(at)) throw this.#error('EEXIST', at);
      missing.push(at);
    }
    if (missing.length === 0) return;
    commit.beforeCommit?.();
    for (const each of missing.reverse()) {
      this.#folder(each).add(nameOf(each));
      this.#entries.set(each, new Set());
    }
  }

  async remove(path: string): Promise<void> {
    if (this.#file(path, 'write')) this.#remove(path);
  }

  async removeEmpty(path: string): Promise<void> {
    if (this.isFolderNow(path) && this.namesNow(path).length === 0) this.#remove(path);
  }

  async flush(): Promise<void> {}

  async settle(): Promise<boolean> {
    return true;
  }

  async cleanUp(): Promise<void> {}

  #at(path: string): MemoryFile | Folder | undefined {
    checkPath(path);
    return this.#entries.get(path);
  }

  #file(path: string, doing: 'read' | 'write'): MemoryFile | undefined {
    const at = this.#at(path);
    if (at instanceof Set) throw toFileError({ code: 'EISDIR' }, this.#name(path), doing);
    return at;
  }

  /** Makes a file, or replaces one. */
  #put(path: string, folder: Folder, text: string): void {
    if (!this.#entries.has(path)) folder.add(nameOf(path));
    this.#entries.set(path, { id: ++this.#made, text, modified: this.#now() });
  }

  #remove(path: string): void {
    const above = this.#entries.get(parentPath(path));
    if (above instanceof Set) above.delete(nameOf(path));
    if (path !== '') this.#entries.delete(path);
  }

  #folder(path: string): Folder {
    checkPath(path);
    const folder = this.#entries.get(parentPath(path));
    if (folder instanceof Set && path !== '') return folder;
    throw this.#error(folder === undefined ? 'ENOENT' : 'ENOTDIR', path);
  }

  #error(code: string, path: string): ThoughtTreeError {
    return toFileError({ code }, this.#name(path), 'write');
  }

  #name(path: string): string {
    return `${this.root}/${path}`;
  }
}
