import type { ThoughtTreeError } from '../../core/search/errors.ts';
import { toFileError, tooLong } from './file-error.ts';
import { checkPath, folderOf, nameOf } from './file-path.ts';
import {
  type Commit,
  type Entry,
  type FileStat,
  type Files,
  type FolderLook,
  LONGEST_FILE,
  type WriteOptions,
} from './files.ts';
import { lookAt } from './folder-look.ts';

interface MemoryFile {
  readonly id: number;
  text: string;
  modified: number;
}

type Folder = Map<string, MemoryFile | 'folder'>;

/** Files in memory. Every operation costs the same however many there are. */
export class MemoryFiles implements Files {
  readonly root: string;
  readonly #folders = new Map<string, Folder>([['', new Map()]]);
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
    this.#makeFolder(folderOf(path));
    this.#folder(path).set(nameOf(path), this.#newFile(text));
  }

  /** The names in a folder, synchronously. */
  namesNow(path: string): string[] {
    return [...(this.#folders.get(path)?.keys() ?? [])];
  }

  isFolderNow(path: string): boolean {
    return this.#folders.has(path);
  }

  /** Removes a file, synchronously. */
  dropFile(path: string): void {
    checkPath(path);
    this.#folders.get(folderOf(path))?.delete(nameOf(path));
  }

  /** Removes a folder and everything in it, synchronously. */
  drop(path: string): void {
    checkPath(path);
    for (const folder of [...this.#folders.keys()])
      if (folder === path || folder.startsWith(`${path}/`)) this.#folders.delete(folder);
    this.#folders.get(folderOf(path))?.delete(nameOf(path));
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
    return typeof at === 'object' ? String(at.id) : undefined;
  }

  async readBytes(path: string, offset: number, length: number): Promise<Uint8Array> {
    return Buffer.from(this.#file(path, 'read')?.text ?? '').subarray(offset, offset + length);
  }

  async stat(path: string): Promise<FileStat | undefined> {
    const at = this.#at(path);
    if (at === undefined) return undefined;
    if (at === 'folder') return { kind: 'folder', size: 0, modified: 0 };
    return { kind: 'file', size: Buffer.byteLength(at.text), modified: at.modified };
  }

  async list(path: string): Promise<Entry[]> {
    checkPath(path);
    const folder = this.#folders.get(path);
    if (!folder) return [];
    return Array.from(folder, ([name, at]) => ({ name, kind: at === 'folder' ? 'folder' : 'file' }));
  }

  async look(path: string, names: readonly string[], held: string): Promise<FolderLook> {
    const quick = {
      read: (file: string) => this.readNow(file),
      isFile: (file: string) => typeof this.#at(file) === 'object',
    };
    return lookAt(quick, path, await this.list(path), names, held);
  }

  /** None: nothing in memory outlives its process. */
  stampNow(): undefined {}

  async now(): Promise<undefined> {}

  async writeAtomic(path: string, text: string, options: WriteOptions = {}): Promise<void> {
    const folder = this.#folder(path);
    if (folder.get(nameOf(path)) === 'folder') throw this.#error('EISDIR', path);
    options.beforeCommit?.();
    folder.set(nameOf(path), this.#newFile(text));
  }

  async append(path: string, text: string, commit: Commit = {}): Promise<void> {
    const folder = this.#folder(path);
    const file = this.#file(path, 'write');
    commit.beforeCommit?.();
    folder.set(nameOf(path), this.#newFile((file?.text ?? '') + text));
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
    if (folder.has(nameOf(path))) return false;
    folder.set(nameOf(path), this.#newFile(text));
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
    for (let at = path; !this.#folders.has(at); at = folderOf(at)) {
      if (this.#at(at) !== undefined) throw this.#error('EEXIST', at);
      missing.push(at);
    }
    if (missing.length === 0) return;
    commit.beforeCommit?.();
    for (const each of missing.reverse()) {
      this.#folders.get(folderOf(each))?.set(nameOf(each), 'folder');
      this.#folders.set(each, new Map());
    }
  }

  async remove(path: string): Promise<void> {
    if (this.#file(path, 'write')) this.#folders.get(folderOf(path))?.delete(nameOf(path));
  }

  async flush(): Promise<void> {}

  async settle(): Promise<boolean> {
    return true;
  }

  async cleanUp(): Promise<void> {}

  #at(path: string): MemoryFile | 'folder' | undefined {
    checkPath(path);
    if (path === '') return 'folder';
    return this.#folders.get(folderOf(path))?.get(nameOf(path));
  }

  #file(path: string, doing: 'read' | 'write'): MemoryFile | undefined {
    const at = this.#at(path);
    if (at === 'folder') throw toFileError({ code: 'EISDIR' }, this.#name(path), doing);
    return at;
  }

  #newFile(text: string): MemoryFile {
    return { id: ++this.#made, text, modified: this.#now() };
  }

  #folder(path: string): Folder {
    checkPath(path);
    const folder = this.#folders.get(folderOf(path));
    if (folder && path !== '') return folder;
    throw this.#error(this.#at(folderOf(path)) === undefined ? 'ENOENT' : 'ENOTDIR', path);
  }

  #error(code: string, path: string): ThoughtTreeError {
    return toFileError({ code }, this.#name(path), 'write');
  }

  #name(path: string): string {
    return `${this.root}/${path}`;
  }
}
