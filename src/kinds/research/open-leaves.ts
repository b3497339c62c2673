import TinyQueue from 'tinyqueue';
import type { Move } from '../../core/kind/strategy.ts';
import { type Beside, MOST_BESIDE, Rankings } from '../../core/search/rankings.ts';
import { byPosition, type TreeNode } from '../../core/tree/tree.ts';
import type { NodeId } from '../../core/tree/tree-node.ts';

interface Entry {
  readonly node: TreeNode;
  readonly score: number;
}

/**
 * The nodes that may be worked on next, accessible in three ways: by membership, best first (score, then the shallowest,
 * then order in the tree), and through a moving window. Every step takes the same time however many there are, up to a
 * logarithm: removed nodes are only skipped when they are met.
 */
export class OpenLeaves {
  readonly #members = new Map<NodeId, Entry>();
  readonly #best = new TinyQueue<Entry>([], byWorth);
  readonly #firstLevel = new TinyQueue<TreeNode>([], byPosition);
  #firstLevelSize = 0;
  #window: TreeNode[] = [];
  #windowStart = 0;

  get size(): number {
    return this.#members.size;
  }

  /** The number of them on the first level. */
  get firstLevelSize(): number {
    return this.#firstLevelSize;
  }

  has(id: NodeId): boolean {
    return this.#members.has(id);
  }

  ids(): NodeId[] {
    return [...this.#members.keys()];
  }

  /** Adds a node, or updates its score. */
  add(node: TreeNode): void {
    const known = this.#members.get(node.id);
    const entry = { node, score: node.evaluation?.score ?? -1 };
    if (known?.score === entry.score) return;
    this.#members.set(node.id, entry);
    this.#best.push(entry);
    if (known) return;
    if (node.depth === 1) {
      this.#firstLevelSize++;
      this.#firstLevel.push(node);
    }
    this.#window.push(node);
  }

  delete(id: NodeId): void {
    if (this.#members.get(id)?.node.depth === 1) this.#firstLevelSize--;
    this.#members.delete(id);
  }

  /** Returns the first one on the first level, in order. */
  nextOfFirstLevel(): TreeNode | undefined {
    while (this.#firstLevel.length > 0) {
      const node = this.#firstLevel.peek() as TreeNode;
      if (this.#members.has(node.id)) return node;
      this.#firstLevel.pop();
    }
    return undefined;
  }

  /** Returns the best one. */
  best(): TreeNode | undefined {
    while (this.#best.length > 0) {
      const entry = this.#best.peek() as Entry;
      if (this.#members.get(entry.node.id) === entry) return entry.node;
      this.#best.pop();
    }
    return undefined;
  }

  /**
   * Returns up to `count` of those below the first level, the best first: the same for the same tree, unlike a window.
   */
  bestGuided(count: number): TreeNode[] {
    const guided = [...this.#members.values()].filter(({ node }) => node.depth > 1);
    return guided
      .sort(byWorth)
      .slice(0, count)
      .map(({ node }) => node);
  }

  /**
   * Up to `count` of them below the first level; the next call continues where this one ended, in a cycle.
   * @param isWanted leaves out others
   */
  nextWindow(count: number, isWanted: (id: NodeId) => boolean = () => true): TreeNode[] {
    this.#compact();
    const found = new Set<TreeNode>(); // one that left and came back is in the window twice
    const length = this.#window.length;
    let at = this.#windowStart;
    for (let seen = 0; seen < length && found.size < count; seen++) {
      const node = this.#window[at % length] as TreeNode;
      at++;
      if (node.depth > 1 && this.#members.has(node.id) && isWanted(node.id)) found.add(node);
    }
    this.#windowStart = length === 0 ? 0 : at % length;
    return [...found];
  }

  // Removed nodes are taken out of the window once they make up half of it, so that the work is spread evenly.
  #compact(): void {
    if (this.#window.length < 2 * this.#members.size + 16) return;
    const seen = new Set<NodeId>();
    const keep = (node: TreeNode): boolean => {
      if (!this.#members.has(node.id) || seen.has(node.id)) return false;
      seen.add(node.id);
      return true;
    };
    const before = this.#window.slice(0, this.#windowStart).filter(keep);
    const after = this.#window.slice(this.#windowStart).filter(keep);
    this.#window = [...before, ...after];
    this.#windowStart = before.length;
  }
}

function byWorth(a: Entry, b: Entry): number {
  return b.score - a.score || a.node.depth - b.node.depth || byPosition(a.node, b.node);
}

/** More names than that take a model too long, and more than it may write; it is enough for so many slots. */
export const LONGEST_RANKING = 512;
const SLOTS_OF_ONE = 128;
/** The number of leaves that a ranking is chosen from. */
const WINDOW = 2 * LONGEST_RANKING;
/** Names for each slot, ranked or being ranked. */
const AHEAD = 4;
/** Names for each slot below which further rankings are asked for. */
const LEAST_AHEAD = 2;

/** A pick that may be one of several under way. */
export interface PickMove extends Move {
  readonly beside?: Beside;
}

/** Tells whether one ranking at a time would be too short for so many slots. */
export function needsSeveral(slots: number): boolean {
  return slots > SLOTS_OF_ONE;
}

/** The work that is left. */
export interface Outlook {
  readonly slots: number;
  /** Open leaves on the first level, and below it. */
  readonly first: number;
  readonly guided: number;
  /** The number of these that are ranked. */
  readonly ranked: number;
  /** The number of nodes that the size still allows. */
  readonly remaining: number;
}

/**
 * The rankings of a search with very many slots: several at a time, each about leaves that are in no other one. Each is
 * asked for, comes or fails without the others.
 */
export class RankingsSideBySide {
  readonly #rankings = new Rankings<NodeId>();
  readonly #underWay = new Map<string, Move>();
  /** The leaves that those under way are about. */
  readonly #asked = new Set<NodeId>();
  /** Those of them that are worked on meanwhile: nobody waits. */
  readonly #taken = new Set<NodeId>();
  #count = 0;

  /** @param ranking what an earlier run left */
  constructor(ranking: readonly NodeId[]) {
    this.#rankings.add(ranking);
  }

  /** The leaves that are ranked, in the order in which they are to be worked on. */
  get ranking(): readonly NodeId[] {
    return this.#rankings.all;
  }

  /** Returns the number of rankings to ask for now. */
  wanted({ slots, first, guided, ranked, remaining }: Outlook): number {
    const unranked = guided - ranked - (this.#asked.size - this.#taken.size);
    // Of few leaves there is one at a time, since each costs a prompt.
    if (unranked <= 0 || (this.#underWay.size > 0 && unranked < LONGEST_RANKING / 2)) return 0;
    const upcoming = first + ranked + this.#coming;
    if (upcoming >= remaining || upcoming > LEAST_AHEAD * slots) return 0;
    const missing = Math.min(AHEAD * slots, remaining) - upcoming;
    return Math.max(1, Math.min(Math.floor(missing / LONGEST_RANKING), Math.floor(unranked / WINDOW)));
  }

  /** Returns the candidates of the next ranking; none if all open leaves are ranked or being ranked. */
  window(leaves: OpenLeaves, ranked: ReadonlySet<NodeId>): NodeId[] {
    const isFree = (id: NodeId): boolean => !ranked.has(id) && !this.#asked.has(id);
    return leaves.nextWindow(WINDOW, isFree).map(({ id }) => id);
  }

  /** Returns the place of the next ranking among the others. */
  next(slots: number): Beside {
    const kept = Math.min(MOST_BESIDE, 2 * Math.ceil((AHEAD * slots) / LONGEST_RANKING));
    return { nth: ++this.#count, kept };
  }

  begin(move: PickMove): void {
    this.#underWay.set(move.id, move);
    for (const id of move.nodes) this.#asked.add(id);
  }

  end(move: PickMove): void {
    if (!this.#underWay.delete(move.id)) return;
    for (const id of move.nodes) {
      this.#asked.delete(id);
      this.#taken.delete(id);
    }
  }

  /** A leaf is worked on, whether or not its ranking has come. */
  take(id: NodeId): void {
    if (this.#asked.has(id)) this.#taken.add(id);
  }

  /** @param beside missing for one that replaces all others */
  add(ranking: readonly NodeId[], beside?: Beside): void {
    this.#rankings.add(ranking, beside);
  }

  /** The most names that those under way will have. */
  get #coming(): number {
    let coming = 0;
    for (const { nodes } of this.#underWay.values()) coming += Math.min(nodes.length, LONGEST_RANKING);
    return coming;
  }
}
