/** A file: its bytes only grow, or are cut off. */
export class FileNode {
  readonly kind = 'file';
  #bytes = Buffer.alloc(256);
  size = 0;
  /** Milliseconds; of no account to what survives. */
  modified = Date.now();

  constructor(content: Buffer = Buffer.alloc(0)) {
    this.append(content);
  }

  append(bytes: Buffer): void {
    if (this.size + bytes.length > this.#bytes.length) {
      const larger = Buffer.alloc(2 * (this.size + bytes.length));
      this.#bytes.copy(larger, 0, 0, this.size);
      this.#bytes = larger;
    }
    bytes.copy(this.#bytes, this.size);
    this.size += bytes.length;
  }

  truncate(size: number): void {
    this.size = Math.min(this.size, size);
  }

  read(into: Buffer, offset: number, length: number, position: number): number {
    const end = Math.min(this.size, position + length);
    if (end <= position) return 0;
    return this.#bytes.copy(into, offset, position, end);
  }

  data(): Buffer {
    return this.#bytes.subarray(0, this.size);
  }
}

export interface FolderNode {
  readonly kind: 'folder';
  readonly entries: Map<string, number>;
}

export type INode = FileNode | FolderNode;

/** One change to the disk, or what makes changes durable. */
export type Change =
  | { readonly kind: 'entry'; readonly folder: number; readonly name: string; readonly ino: number | undefined }
  | { readonly kind: 'write'; readonly ino: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly ino: number; readonly size: number }
  | { readonly kind: 'sync'; readonly ino: number };

/** A change and what had happened outside when it was made. */
export interface Logged {
  readonly change: Change;
  readonly mark: number;
}

/** What was done to a disk, in order; makes each change as it is added. */
export class PowerLog {
  readonly root: number;
  readonly changes: Logged[] = [];
  /** What was there at first, all of it on the disk itself. */
  readonly begin: ReadonlyMap<number, INode>;
  readonly #nodes: Map<number, INode>;
  readonly #mark: () => number;

  constructor(root: number, nodes: Map<number, INode>, mark: () => number) {
    this.root = root;
    this.begin = copyOf(nodes);
    this.#nodes = nodes;
    this.#mark = mark;
  }

  isFolder(ino: number): boolean {
    return this.#nodes.get(ino)?.kind === 'folder';
  }

  newFile(): FileNode {
    return new FileNode();
  }

  add(change: Change): void {
    this.changes.push({ change, mark: this.#mark() });
    apply(this.#nodes, change);
  }
}

/** Makes one change. */
export function apply(nodes: Map<number, INode>, change: Change): void {
  if (change.kind === 'entry') {
    const folder = nodes.get(change.folder) as FolderNode;
    if (change.ino === undefined) folder.entries.delete(change.name);
    else folder.entries.set(change.name, change.ino);
  } else if (change.kind === 'write') (nodes.get(change.ino) as FileNode).append(change.bytes);
  else if (change.kind === 'truncate') (nodes.get(change.ino) as FileNode).truncate(change.size);
}

export function copyOf(nodes: ReadonlyMap<number, INode>): Map<number, INode> {
  return new Map(
    Array.from(nodes, ([ino, node]) => [
      ino,
      node.kind === 'folder'
        ? { kind: 'folder' as const, entries: new Map(node.entries) }
        : new FileNode(Buffer.from(node.data())),
    ]),
  );
}
