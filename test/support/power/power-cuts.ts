import { apply, type Change, copyOf, FileNode, type INode, type PowerLog } from './power-log.ts';

/**
 * What a loss of power leaves of what was not flushed: `nothing`; the names, of empty files (`names`); or a random part
 * (`some`), with bytes missing at the end or zeros in their place.
 */
export const WAYS = ['nothing', 'names', 'some'] as const;
export type Way = (typeof WAYS)[number];

/**
 * `ordered`: changes of folders survive in their order, and any flush flushes those before it, as on ext4. `unordered`:
 * a name survives only if its own folder was flushed.
 */
export const ORDERS = ['ordered', 'unordered'] as const;
export type Order = (typeof ORDERS)[number];

type Entry = Extract<Change, { kind: 'entry' }>;

/** The moments between two changes of a log, one after the other. */
export class PowerCuts {
  readonly #log: PowerLog;
  /** As the process sees it. */
  readonly #now: Map<number, INode>;
  /** Names on the disk itself, by order; bytes on the disk itself. */
  readonly #names: Record<Order, Map<number, Map<string, number>>>;
  readonly #bytes = new Map<number, Buffer>();
  /** Changes of names that may not be on the disk itself. */
  readonly #pending: Record<Order, Entry[]> = { ordered: [], unordered: [] };
  #at = 0;

  constructor(log: PowerLog) {
    this.#log = log;
    this.#now = copyOf(log.begin);
    this.#names = { ordered: namesIn(log.begin), unordered: namesIn(log.begin) };
    for (const [ino, node] of log.begin) if (node.kind === 'file') this.#bytes.set(ino, Buffer.from(node.data()));
  }

  /** The number of changes before this moment. */
  get at(): number {
    return this.#at;
  }

  /** What had happened outside by now. */
  get mark(): number {
    return this.#log.changes[this.#at]?.mark ?? Number.POSITIVE_INFINITY;
  }

  /** Goes on by one change; false after the last one. */
  next(): boolean {
    const logged = this.#log.changes[this.#at];
    if (!logged) return false;
    this.#at++;
    this.#apply(logged.change);
    return true;
  }

  /** Returns what is left if the power goes off now. */
  left(way: Way, order: Order, random: () => number): Map<number, INode> {
    const names = copyOfNames(this.#names[order]);
    const pending = this.#pending[order];
    if (way === 'names') for (const each of pending) enter(names, each);
    if (way === 'some') for (const each of surviving(pending, order, random)) enter(names, each);
    const left = new Map<number, INode>();
    const waiting = [this.#log.root];
    for (let ino = waiting.pop(); ino !== undefined; ino = waiting.pop()) {
      const node = this.#now.get(ino);
      if (!node || left.has(ino)) continue;
      if (node.kind === 'folder') {
        const entries = names.get(ino) ?? new Map<string, number>();
        left.set(ino, { kind: 'folder', entries });
        waiting.push(...entries.values());
      } else left.set(ino, new FileNode(this.#content(ino, node, way, random)));
    }
    return left;
  }

  #content(ino: number, node: FileNode, way: Way, random: () => number): Buffer {
    const durable = this.#bytes.get(ino) ?? Buffer.alloc(0);
    const now = node.data();
    return way !== 'some' || durable.equals(now) ? durable : someOf(durable, now, random);
  }

  #apply(change: Change): void {
    if (change.kind === 'sync') {
      this.#sync(change.ino);
      return;
    }
    if (change.kind === 'entry') {
      if (change.ino !== undefined && !this.#now.has(change.ino)) this.#now.set(change.ino, this.#fresh(change.ino));
      for (const order of ORDERS) this.#pending[order].push(change);
    }
    apply(this.#now, change);
  }

  #fresh(ino: number): INode {
    return this.#log.isFolder(ino) ? { kind: 'folder', entries: new Map() } : new FileNode();
  }

  #sync(ino: number): void {
    const node = this.#now.get(ino) as INode;
    if (node.kind === 'file') this.#bytes.set(ino, Buffer.from(node.data()));
    const { ordered, unordered } = this.#pending;
    for (const each of ordered.splice(0)) enter(this.#names.ordered, each);
    if (node.kind === 'file') return;
    const own = unordered.filter(({ folder }) => folder === ino);
    for (const each of own) enter(this.#names.unordered, each);
    this.#pending.unordered = unordered.filter(({ folder }) => folder !== ino);
  }
}

/** Those of some changes that are on the disk by chance. */
function surviving(pending: readonly Entry[], order: Order, random: () => number): Entry[] {
  if (order === 'ordered') return pending.slice(0, Math.floor(random() * (pending.length + 1)));
  // Each name by itself has one of the states that it went through.
  const last = new Map<string, number>();
  const keyOf = ({ folder, name }: Entry): string => `${folder}/${name}`;
  for (const each of pending) last.set(keyOf(each), (last.get(keyOf(each)) ?? 0) + 1);
  for (const [key, states] of last) last.set(key, Math.floor(random() * (states + 1)));
  const left = new Map(last);
  return pending.filter((each) => {
    const more = left.get(keyOf(each)) ?? 0;
    left.set(keyOf(each), more - 1);
    return more > 0;
  });
}

/** Bytes between those that were flushed and those that were written. */
function someOf(durable: Buffer, now: Buffer, random: () => number): Buffer {
  const kind = Math.floor(random() * 4);
  if (kind === 0) return durable;
  if (kind === 1) return Buffer.from(now);
  if (now.length <= durable.length) return Buffer.from(now);
  const place = (): number => durable.length + Math.floor(random() * (now.length - durable.length + 1));
  if (kind === 2) return Buffer.from(now.subarray(0, place()));
  const [from, to] = [place(), place()].sort((a, b) => a - b) as [number, number];
  return Buffer.from(now).fill(0, from, to);
}

function namesIn(nodes: ReadonlyMap<number, INode>): Map<number, Map<string, number>> {
  const names = new Map<number, Map<string, number>>();
  for (const [ino, node] of nodes) if (node.kind === 'folder') names.set(ino, new Map(node.entries));
  return names;
}

function copyOfNames(names: ReadonlyMap<number, Map<string, number>>): Map<number, Map<string, number>> {
  return new Map(Array.from(names, ([ino, entries]) => [ino, new Map(entries)]));
}

function enter(names: Map<number, Map<string, number>>, { folder, name, ino }: Entry): void {
  const entries = names.get(folder) ?? new Map<string, number>();
  names.set(folder, entries);
  if (ino === undefined) entries.delete(name);
  else entries.set(name, ino);
}
