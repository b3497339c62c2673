import { constants } from 'node:fs';
import type { DiskOperations } from '../../../src/store/files/disk/disk-operations.ts';
import { type Change, type FileNode, type FolderNode, type INode, PowerLog } from './power-log.ts';

const ROOT = 1;

/**
 * A disk in memory, as the system calls under a store see it, which keeps a log of what was changed and flushed: so that
 * one knows what a loss of power at any moment may leave of it.
 */
export class PowerDisk {
  /** The folder of the search on it. */
  readonly folder = '/search';
  readonly log: PowerLog;
  /** The system calls. */
  readonly operations: DiskOperations;
  /** What is on it, by inode. */
  readonly nodes: Map<number, INode>;
  readonly #open = new Map<number, { ino: number; append: boolean; at: number }>();
  #lastIno: number;
  #lastDescriptor = 10;

  /**
   * @param nodes what is on it, by inode; the first is the folder of the search
   * @param mark called at each change, so that the log tells what happened outside by then
   */
  constructor(mark: () => number, nodes: Map<number, INode> = new Map([[ROOT, newFolder()]])) {
    this.nodes = nodes;
    this.#lastIno = Math.max(...nodes.keys());
    this.log = new PowerLog(ROOT, nodes, mark);
    this.operations = this.#operations();
  }

  #operations(): DiskOperations {
    const calls = {
      mkdir: async (path: string, options: { recursive?: boolean }) => this.#mkdir(path, options),
      realpath: async (path: string) => path,
      unlink: async (path: string) => this.#unlink(path),
      fdatasync: async (descriptor: number) => this.#sync(descriptor),
      fsync: async (descriptor: number) => this.#sync(descriptor),
      closeSync: (descriptor: number) => void this.#open.delete(descriptor),
      copyFileSync: (from: string, to: string) => this.#copy(from, to),
      fstatSync: (descriptor: number) => this.#statOf(this.#opened(descriptor).ino),
      ftruncateSync: (descriptor: number, size: number) => {
        this.#change({ kind: 'truncate', ino: this.#opened(descriptor).ino, size });
      },
      linkSync: (from: string, to: string) => {
        const ino = this.#find(from);
        if (ino === undefined) throw failure('ENOENT', from);
        this.#enter(to, ino);
      },
      lstatSync: (path: string) => {
        const ino = this.#find(path);
        return ino === undefined ? undefined : this.#statOf(ino);
      },
      mkdirSync: (path: string, options: { recursive?: boolean }) => this.#mkdir(path, options),
      open: async (path: string, flags: string) => this.#openFile(path, flags),
      openSync: (path: string, flags: number | string) => this.#openFile(path, flags),
      readdirSync: (path: string) => this.#list(path),
      readSync: (descriptor: number, into: Buffer, offset: number, length: number, position: number) =>
        this.#file(this.#opened(descriptor).ino).read(into, offset, length, position),
      renameSync: (from: string, to: string) => this.#rename(from, to),
      writeSync: (descriptor: number, bytes: Buffer, offset = 0) => {
        const part = Buffer.from(bytes.subarray(offset));
        this.#change({ kind: 'write', ino: this.#opened(descriptor).ino, bytes: part });
        return part.length;
      },
    };
    return calls as unknown as DiskOperations;
  }

  #change(change: Change): void {
    this.log.add(change);
  }

  #mkdir(path: string, { recursive = false }: { recursive?: boolean } = {}): void {
    if (this.#find(path) !== undefined) {
      if (recursive) return;
      throw failure('EEXIST', path);
    }
    const { parent } = split(path);
    if (recursive && this.#find(parent) === undefined) this.#mkdir(parent, { recursive });
    const ino = ++this.#lastIno;
    this.nodes.set(ino, newFolder());
    this.#enter(path, ino);
  }

  #copy(from: string, to: string): void {
    const ino = this.#find(from);
    if (ino === undefined) throw failure('ENOENT', from);
    const descriptor = this.#openFile(to, 'wx');
    this.#change({ kind: 'write', ino: this.#opened(descriptor).ino, bytes: Buffer.from(this.#file(ino).data()) });
    this.#open.delete(descriptor);
  }

  #unlink(path: string): void {
    const { folder, name } = this.#place(path);
    if (!this.#entries(folder).has(name)) throw failure('ENOENT', path);
    this.#change({ kind: 'entry', folder, name, ino: undefined });
  }

  #rename(from: string, to: string): void {
    const old = this.#place(from);
    const next = this.#place(to);
    const ino = this.#entries(old.folder).get(old.name);
    if (ino === undefined) throw failure('ENOENT', from);
    const there = this.#entries(next.folder).get(next.name);
    if (there !== undefined && this.nodes.get(there)?.kind === 'folder') throw failure('EISDIR', to);
    // One step on a disk that keeps the order of folders, two on one that does not.
    this.#change({ kind: 'entry', ...next, ino });
    this.#change({ kind: 'entry', ...old, ino: undefined });
  }

  #openFile(path: string, flags: number | string): number {
    const asked = flags === 'wx' ? constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY : Number(flags);
    let ino = this.#find(path);
    if (ino !== undefined && asked & constants.O_EXCL) throw failure('EEXIST', path);
    if (ino === undefined) {
      if (!(asked & constants.O_CREAT)) throw failure('ENOENT', path);
      ino = ++this.#lastIno;
      this.nodes.set(ino, this.log.newFile());
      this.#enter(path, ino);
    }
    const descriptor = ++this.#lastDescriptor;
    this.#open.set(descriptor, { ino, append: Boolean(asked & constants.O_APPEND), at: 0 });
    return descriptor;
  }

  #enter(path: string, ino: number): void {
    const { folder, name } = this.#place(path);
    if (this.#entries(folder).has(name)) throw failure('EEXIST', path);
    this.#change({ kind: 'entry', folder, name, ino });
  }

  #sync(descriptor: number): void {
    this.#change({ kind: 'sync', ino: this.#opened(descriptor).ino });
  }

  #list(path: string): unknown[] {
    const ino = this.#find(path);
    if (ino === undefined) throw failure('ENOENT', path);
    return Array.from(this.#entries(ino), ([name, each]) => ({ name, ...this.#statOf(each) }));
  }

  #statOf(ino: number): object {
    const node = this.nodes.get(ino) as INode;
    const isFolder = node.kind === 'folder';
    return {
      isFile: () => !isFolder,
      isDirectory: () => isFolder,
      isSymbolicLink: () => false,
      size: isFolder ? 0 : node.size,
      mtimeMs: isFolder ? 0 : node.modified,
      ctimeMs: isFolder ? 0 : node.modified,
      dev: 1,
      ino,
    };
  }

  #opened(descriptor: number): { ino: number } {
    const opened = this.#open.get(descriptor);
    if (!opened) throw failure('EBADF', String(descriptor));
    return opened;
  }

  #file(ino: number): FileNode {
    const node = this.nodes.get(ino);
    if (node?.kind !== 'file') throw failure('EISDIR', String(ino));
    return node;
  }

  #entries(ino: number): Map<string, number> {
    const node = this.nodes.get(ino);
    if (node?.kind !== 'folder') throw failure('ENOTDIR', String(ino));
    return node.entries;
  }

  #place(path: string): { folder: number; name: string } {
    const { parent, name } = split(path);
    const folder = this.#find(parent);
    if (folder === undefined) throw failure('ENOENT', path);
    return { folder, name };
  }

  #find(path: string): number | undefined {
    if (path === this.folder) return ROOT;
    let ino: number | undefined = ROOT;
    for (const name of path.slice(this.folder.length + 1).split('/')) {
      const node: INode | undefined = ino === undefined ? undefined : this.nodes.get(ino);
      if (node?.kind !== 'folder') return undefined;
      ino = node.entries.get(name);
    }
    return ino;
  }
}

function newFolder(): FolderNode {
  return { kind: 'folder', entries: new Map() };
}

function split(path: string): { parent: string; name: string } {
  const at = path.lastIndexOf('/');
  return { parent: path.slice(0, at), name: path.slice(at + 1) };
}

function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}
