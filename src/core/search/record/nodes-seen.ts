import * as z from 'zod';
import { NodeStatus } from '../../tree/node-file.ts';
import { isWithin, joinedPath, movedPath, parentPath } from '../../tree/slug.ts';
import { countedAs } from '../../tree/tree.ts';
import type { JournalEvent, KeptFold } from '../events.ts';

/** The cost of one node. */
export interface NodeSpend {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number;
  readonly ms: number;
}

const SeenState = z.object({
  /** In order of appearance. */
  nodes: z.array(z.tuple([z.string(), NodeStatus])),
  spent: z.array(z.tuple([z.string(), z.number(), z.number(), z.number(), z.number()])),
  solved: z.array(z.string()).optional(),
});

interface Seen {
  status: NodeStatus;
  /** The number of nodes above it that are pruned. */
  cutOffBy: number;
  children: string[] | undefined;
}

interface Known {
  readonly nodes: Map<string, Seen>;
  readonly counts: Map<NodeStatus, number>;
  readonly spent: Map<string, NodeSpend>;
  readonly solved: Set<string>;
}

/**
 * The nodes in a journal, by slug path: their statuses, counted as they change, and what they cost. Counting takes the
 * same time for any number of nodes. Statuses changed by hand are set from outside.
 */
export class NodesSeen implements KeptFold {
  readonly name = 'nodes-seen';
  readonly #nodes: Map<string, Seen>;
  readonly #counts: Map<NodeStatus, number>;
  readonly #spent: Map<string, NodeSpend>;
  /** The slug paths of solutions. */
  readonly #solved: Set<string>;

  /** @param known all that another one knows, for its use alone */
  constructor({ nodes, counts, spent, solved }: Partial<Known> = {}) {
    this.#nodes = nodes ?? new Map();
    this.#counts = counts ?? new Map();
    this.#spent = spent ?? new Map();
    this.#solved = solved ?? new Set();
  }

  apply(event: JournalEvent): void {
    if (event.type === 'node-status') this.set(event.node, event.status, event.leafReason === 'solved');
    else if (event.type === 'node-added') this.#add(event.node, event.children);
    else if (event.type === 'node-removed') this.deleteBranch(event.node);
    else if (event.type === 'node-moved') this.#move(event.from, event.node);
    else if (event.type === 'call-ended') this.#spend(event);
  }

  get state(): z.infer<typeof SeenState> {
    return {
      nodes: Array.from(this.#nodes, ([path, { status }]) => [path, status]),
      spent: Array.from(this.#spent, ([path, { calls, tokens, usd, ms }]) => [path, calls, tokens, usd, ms]),
      solved: [...this.#solved],
    };
  }

  restore(state: unknown): void {
    const { nodes, spent, solved = [] } = SeenState.parse(state);
    const ends = new Set(solved);
    for (const [path, status] of nodes) this.set(path, status, ends.has(path));
    for (const [path, calls, tokens, usd, ms] of spent) this.#spent.set(path, { calls, tokens, usd, ms });
  }

  /** Returns another one that knows the same: sooner than by its state. */
  copy(): NodesSeen {
    const nodes = new Map<string, Seen>();
    for (const [path, { status, cutOffBy, children }] of this.#nodes)
      nodes.set(path, { status, cutOffBy, children: children && [...children] });
    const [counts, spent, solved] = [new Map(this.#counts), new Map(this.#spent), new Set(this.#solved)];
    return new NodesSeen({ nodes, counts, spent, solved });
  }

  get size(): number {
    return this.#nodes.size;
  }

  /** Returns the slug paths, in order of appearance. */
  paths(): string[] {
    return [...this.#nodes.keys()];
  }

  has(path: string): boolean {
    return this.#nodes.has(path);
  }

  get(path: string): NodeStatus | undefined {
    return this.#nodes.get(path)?.status;
  }

  /** Counts the nodes that count as one of these statuses; see `countedAs`. */
  count(...wanted: readonly NodeStatus[]): number {
    return wanted.reduce((sum, status) => sum + (this.#counts.get(status) ?? 0), 0);
  }

  spentOn(path: string): NodeSpend | undefined {
    return this.#spent.get(path);
  }

  /** True if a solution is among them that nobody pruned. */
  get isSolved(): boolean {
    return [...this.#solved].some((path) => this.#nodes.get(path)?.cutOffBy === 0);
  }

  set(path: string, status: NodeStatus, solves = false): void {
    if (solves && status === 'leaf') this.#solved.add(path);
    else this.#solved.delete(path);
    const node = this.#nodes.get(path) ?? this.#make(path);
    const by = Number(status === 'pruned') - Number(node.status === 'pruned');
    this.#count(node, -1);
    node.status = status;
    this.#count(node, 1);
    if (by !== 0) this.#cutOffBelow(path, by);
  }

  /** Forgets a node and everything below it. */
  deleteBranch(path: string): void {
    const above = this.#nodes.get(parentPath(path));
    if (above?.children) above.children = above.children.filter((child) => child !== path);
    for (const each of this.#branch(path)) {
      this.#count(this.#nodes.get(each) as Seen, -1);
      this.#nodes.delete(each);
      this.#solved.delete(each);
    }
  }

  clear(): void {
    this.#nodes.clear();
    this.#counts.clear();
    this.#spent.clear();
    this.#solved.clear();
  }

  #add(parent: string, children: Extract<JournalEvent, { type: 'node-added' }>['children']): void {
    for (const { slug, status = 'unexpanded' } of children) {
      const path = joinedPath(parent, slug);
      if (!this.#nodes.has(path)) this.set(path, status);
    }
  }

  #move(from: string, to: string): void {
    const branch = [...this.#branch(from)].map((path) => {
      return [movedPath(path, from, to), this.get(path) ?? 'unexpanded', this.#solved.has(path)] as const;
    });
    this.deleteBranch(from);
    for (const [path, status, solves] of branch) this.set(path, status, solves);
    for (const [path, spend] of [...this.#spent]) {
      if (!isWithin(path, from)) continue;
      this.#spent.delete(path);
      this.#spent.set(movedPath(path, from, to), spend);
    }
  }

  #make(path: string): Seen {
    const above = this.#nodes.get(parentPath(path));
    const cutOffBy = above ? above.cutOffBy + Number(above.status === 'pruned') : 0;
    const made: Seen = { status: 'unexpanded', cutOffBy, children: undefined };
    this.#nodes.set(path, made);
    this.#count(made, 1);
    if (above?.children) above.children.push(path);
    else if (above) above.children = [path];
    return made;
  }

  /** Updates all nodes below one that was pruned (`by` 1) or restored (-1). */
  #cutOffBelow(path: string, by: number): void {
    for (const each of this.#branch(path)) {
      if (each === path) continue;
      const node = this.#nodes.get(each) as Seen;
      this.#count(node, -1);
      node.cutOffBy += by;
      this.#count(node, 1);
    }
  }

  *#branch(path: string): Generator<string> {
    const waiting = [path];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const node = this.#nodes.get(next);
      if (!node) continue;
      for (const child of node.children ?? []) waiting.push(child);
      yield next;
    }
  }

  #count({ status, cutOffBy }: Seen, by: number): void {
    const counted = countedAs(status, cutOffBy > 0);
    this.#counts.set(counted, (this.#counts.get(counted) ?? 0) + by);
  }

  #spend({ node, usage, ms }: Extract<JournalEvent, { type: 'call-ended' }>): void {
    const { calls, tokens, usd, ms: before } = this.#spent.get(node) ?? { calls: 0, tokens: 0, usd: 0, ms: 0 };
    this.#spent.set(node, {
      calls: calls + 1,
      tokens: tokens + (usage ? usage.prompt + usage.completion : 0),
      usd: usd + (usage?.usd ?? 0),
      ms: before + ms,
    });
  }
}

/**
 * Events with the current paths of their nodes: what happened to a node follows it when it is moved. The moves
 * themselves are left out.
 */
export function withPresentPaths(events: readonly JournalEvent[]): readonly JournalEvent[] {
  if (!events.some(({ type }) => type === 'node-moved')) return events;
  const later: { from: string; to: string }[] = [];
  const present: JournalEvent[] = [];
  const now = (told: string): string => later.reduce((path, { from, to }) => movedPath(path, from, to), told);
  for (const event of events.toReversed()) {
    if (event.type === 'node-moved') later.unshift({ from: event.from, to: event.node });
    else if (!('node' in event) || event.node === undefined) present.push(event);
    else present.push({ ...event, node: now(event.node), ...('about' in event && { about: event.about?.map(now) }) });
  }
  return present.reverse();
}
