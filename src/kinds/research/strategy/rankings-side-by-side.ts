import type { Move } from '../../../core/kind/strategy.ts';
import { type Beside, MOST_BESIDE, Rankings } from '../../../core/search/rankings.ts';
import type { NodeId } from '../../../core/tree/tree.ts';
import type { OpenLeaves } from './open-leaves.ts';

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

  /** The candidates of the next ranking; none if all open leaves are ranked or being ranked. */
  window(leaves: OpenLeaves, ranked: ReadonlySet<NodeId>): NodeId[] {
    const isFree = (id: NodeId): boolean => !ranked.has(id) && !this.#asked.has(id);
    return leaves.nextWindow(WINDOW, isFree).map(({ id }) => id);
  }

  /** The place of the next ranking among the others. */
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
