import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Disk, systemDisk } from '../../../src/store/files/replace-file.ts';
import { FileNode, type FolderNode, type INode, PowerLog } from '../power/power-log.ts';

/** What happens to a change: by default it is made. */
export type Fate = (number: number, call: keyof Disk, args: readonly unknown[]) => Promise<void> | void;

/** The disk of this computer, where something can happen before each change. Changes are counted from 1 on. */
export function tracedDisk(fate: Fate, log?: (call: keyof Disk, args: readonly string[]) => void): Disk {
  let count = 0;
  const calls = Object.keys(systemDisk) as (keyof Disk)[];
  return Object.fromEntries(
    calls.map((call) => [
      call,
      async (...args: string[]) => {
        await fate(++count, call, args);
        await (systemDisk[call] as (...all: string[]) => Promise<void>)(...args);
        log?.(call, args);
      },
    ]),
  ) as unknown as Disk;
}

/** Returns a fate in which the process is killed before a change: nothing of it happens any more. */
export function killedAt(change: number): { readonly fate: Fate; readonly killed: Promise<'killed'> } {
  const { promise: killed, resolve } = Promise.withResolvers<'killed'>();
  return {
    killed,
    fate: (number) => {
      if (number < change) return;
      resolve('killed');
      return new Promise<never>(() => undefined);
    },
  };
}

const ROOT = 1;

/** Keeps a log of what is changed and flushed in a folder, so that one knows what a loss of power at any moment may leave of it. */
export class TracedFolder {
  readonly disk: Disk;
  readonly log: PowerLog;
  readonly #folder: string;
  readonly #nodes = new Map<number, INode>();
  /** What a node is besides its bytes. */
  readonly #about = new Map<number, { readonly mode: number; readonly link?: string }>();
  readonly #isLeftOut: (path: string) => boolean;

  /** @param isLeftOut what is of no account, and stays as it is */
  constructor(folder: string, isLeftOut: (path: string) => boolean) {
    this.#folder = folder;
    this.#isLeftOut = isLeftOut;
    this.#nodes.set(ROOT, { kind: 'folder', entries: new Map() });
    this.#read('', this.#nodes.get(ROOT) as FolderNode);
    this.log = new PowerLog(ROOT, this.#nodes, () => 0);
    this.disk = tracedDisk(
      () => undefined,
      (call, args) => this.#add(call, args),
    );
  }

  /** Makes the folder what was left. */
  restore(left: ReadonlyMap<number, INode>): void {
    this.#clear('');
    this.#write('', left, ROOT);
  }

  #read(below: string, folder: FolderNode): void {
    for (const name of readdirSync(join(this.#folder, below))) {
      const path = join(below, name);
      if (this.#isLeftOut(path)) continue;
      const ino = this.#nodes.size + 1;
      const file = join(this.#folder, path);
      const about = lstatSync(file);
      folder.entries.set(name, ino);
      const isLink = about.isSymbolicLink();
      this.#about.set(ino, { mode: about.mode & 0o777, ...(isLink && { link: readlinkSync(file) }) });
      const isFolder = about.isDirectory();
      const node: INode = isFolder
        ? { kind: 'folder', entries: new Map() }
        : new FileNode(isLink ? Buffer.alloc(0) : readFileSync(file));
      this.#nodes.set(ino, node);
      if (node.kind === 'folder') this.#read(path, node);
    }
  }

  #add(call: keyof Disk, args: readonly string[]): void {
    const [first = '', second = ''] = args;
    if (call === 'makeFolder') this.#make(first, { kind: 'folder', entries: new Map() }, 0o755);
    else if (call === 'write' || call === 'copy') {
      const file = call === 'write' ? first : second;
      const ino = this.#make(file, new FileNode(), lstatSync(file).mode & 0o777);
      this.log.add({ kind: 'write', ino, bytes: readFileSync(file) });
      this.log.add({ kind: 'sync', ino });
    } else if (call === 'symlink') this.#make(second, new FileNode(), 0o777, first);
    else if (call === 'link') this.#enter(second, this.#find(first));
    else if (call === 'rename') {
      const ino = this.#find(first);
      if (this.#find(second) === ino) return;
      this.#enter(second, ino);
      this.#enter(first, undefined);
    } else if (call === 'flush') this.log.add({ kind: 'sync', ino: this.#find(first) as number });
    else this.#enter(first, undefined);
  }

  #make(file: string, node: INode, mode: number, link?: string): number {
    const ino = this.#nodes.size + 1;
    this.#nodes.set(ino, node);
    this.#about.set(ino, { mode, ...(link !== undefined && { link }) });
    this.#enter(file, ino);
    return ino;
  }

  #enter(file: string, ino: number | undefined): void {
    const folder = this.#find(dirname(file)) as number;
    this.log.add({ kind: 'entry', folder, name: file.slice(dirname(file).length + 1), ino });
  }

  #find(file: string): number | undefined {
    let ino: number | undefined = ROOT;
    for (const name of relative(this.#folder, file).split('/').filter(Boolean)) {
      const node: INode | undefined = ino === undefined ? undefined : this.#nodes.get(ino);
      ino = node?.kind === 'folder' ? node.entries.get(name) : undefined;
    }
    return ino;
  }

  #clear(below: string): void {
    for (const name of readdirSync(join(this.#folder, below))) {
      const path = join(below, name);
      const file = join(this.#folder, path);
      if (this.#isLeftOut(path)) continue;
      if (lstatSync(file).isDirectory()) this.#clear(path);
      if (!lstatSync(file).isDirectory() || readdirSync(file).length === 0) rmSync(file, { recursive: true });
    }
  }

  #write(below: string, left: ReadonlyMap<number, INode>, ino: number): void {
    const node = left.get(ino);
    const file = join(this.#folder, below);
    const { mode = 0o755, link } = this.#about.get(ino) ?? {};
    if (node?.kind === 'folder') {
      if (!existsSync(file)) mkdirSync(file);
      for (const [name, each] of node.entries) this.#write(join(below, name), left, each);
    } else if (link !== undefined) symlinkSync(link, file);
    else if (node) {
      writeFileSync(file, node.data());
      chmodSync(file, mode);
    }
  }
}
