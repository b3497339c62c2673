import type { Move, Strategy } from '../../../core/kind/strategy.ts';
import { expansionsOf, type Size } from '../../../core/search/limits.ts';
import type { NodeId, Tree } from '../../../core/tree/tree.ts';
import type { Moment } from './led-investigation.ts';
import { roomForLeads, type Step, stepsOf } from './steps.ts';

const TAKES_SLOT = { investigate: true, plan: true, settle: false } as const;

/**
 * Leads an investigation round by round. What is left to do can be told from the tree at any time; nothing but the moves
 * under way is kept.
 */
export class LedStrategy implements Strategy {
  readonly #now: () => Moment;
  #size: Size;
  #tree: Tree | undefined;
  #steps: readonly Step[] | undefined;
  /** Oldest first. */
  readonly #wishes = new Set<NodeId>();
  readonly #underWay = new Map<string, Move>();
  #moves = 0;

  /** @param now the investigation as its files say */
  constructor(now: () => Moment, size: Size) {
    this.#now = now;
    this.#size = size;
  }

  open(tree: Tree): void {
    this.#tree = tree;
    this.#steps = undefined;
  }

  ask(room: number): Move[] {
    let free = room;
    return this.#next(this.#remaining()).flatMap((step) => {
      if (TAKES_SLOT[step.kind] && free-- <= 0) return [];
      return [this.#begin(step)];
    });
  }

  tell({ id }: Move): void {
    this.#underWay.delete(id);
    this.#steps = undefined;
  }

  changed(): void {
    this.#steps = undefined;
  }

  wish(node: NodeId): void {
    this.#wishes.delete(node);
    this.#wishes.add(node);
    this.#steps = undefined;
  }

  grow(size: Size): void {
    this.#size = size;
    this.#steps = undefined;
  }

  get end(): 'size' | 'complete' | undefined {
    if (this.#underWay.size > 0 || this.#next(this.#remaining()).length > 0) return undefined;
    return this.#next(Number.POSITIVE_INFINITY).length > 0 ? 'size' : 'complete';
  }

  /** Returns what comes next, for comparison with an index built from scratch. */
  snapshot(): { kind: string; node: NodeId }[] {
    return this.#next(this.#remaining()).map(({ kind, node }) => ({ kind, node: node.id }));
  }

  /** Returns what may be begun now. @param remaining nodes that may still be looked into */
  #next(remaining: number): Step[] {
    this.#steps ??= stepsOf(this.#now());
    const busy = new Set([...this.#underWay.values()].flatMap(({ nodes }) => nodes));
    const free = this.#steps.filter(({ node }) => !busy.has(node.id));
    const wished = [...this.#wishes].flatMap(
      (id) => free.find(({ kind, node }) => kind === 'investigate' && node.id === id) ?? [],
    );
    if (wished.length > 0) return wished;
    if (remaining <= 0) return [];
    const turn = this.#steps[0]?.turn;
    let left = remaining;
    return free.filter(({ kind, turn: its }) => {
      if (its !== turn) return false;
      if (kind === 'plan') return roomForLeads(remaining, this.#now().byRule) > 0;
      return kind !== 'investigate' || left-- > 0;
    });
  }

  #remaining(): number {
    const begun = [...this.#underWay.values()].filter(({ kind }) => kind === 'investigate').length;
    return expansionsOf(this.#size) - (this.#tree?.finished ?? 0) - begun;
  }

  #begin({ kind, node }: Step): Move {
    const move = { id: `${kind}-${++this.#moves}`, kind, nodes: [node.id] };
    this.#underWay.set(move.id, move);
    this.#wishes.delete(node.id);
    return move;
  }
}
