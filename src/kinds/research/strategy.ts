import type { Move, MoveResult, Strategy } from '../../core/kind/strategy.ts';
import { expansionsOf, type Size } from '../../core/search/limits.ts';
import { isPruned, lineageOf, type Tree, type TreeNode, walk } from '../../core/tree/tree.ts';
import type { NodeId } from '../../core/tree/tree-node.ts';
import { LONGEST_RANKING, needsSeveral, OpenLeaves, type PickMove, RankingsSideBySide } from './open-leaves.ts';
import type { Picker } from './research-search.ts';

/** The kinds of move of a research search. */
export type ResearchMove = 'list-root' | 'expand' | 'pick';

export interface ResearchOptions {
  readonly size: Size;
  /** Number of slots, which may change; rankings are long enough to feed them. */
  readonly concurrency: number;
  readonly picker: Picker;
  /**
   * The next moves depend on nothing but the tree: once the first level is done, a short ranking is waited for and
   * worked off as a whole before the next one, which then knows all its results. For rankings that follow a rule and
   * cost nothing, so that nothing is gained by asking ahead, and the same answers give the same tree.
   */
  readonly inRounds?: boolean;
  /** The least that an open leaf below the first level is expected to add, 0 to 10, unless a person wants it; 0 by default. */
  readonly leastScore?: number;
  /** A pick takes a slot as other moves do. A ranking then goes before the moves that it orders. */
  readonly picksTakeSlots?: boolean;
}

const SHORTEST_RANKING = 64;
/** The length of such a ranking, which is the same for every number of slots. */
const ROUND = 8;
/** The number of leaves that such a ranking is chosen from. */
const MOST_IN_ROUNDS = 2 * SHORTEST_RANKING;

/** Returns the maximum length of a ranking. */
export function rankingLength({ concurrency, inRounds }: Pick<ResearchOptions, 'concurrency' | 'inRounds'>): number {
  return inRounds ? ROUND : Math.min(LONGEST_RANKING, Math.max(SHORTEST_RANKING, 4 * concurrency));
}

/**
 * The two phases of a research search. The first level is worked on in order; alongside and after that, a picker's
 * ranking says what comes next. Nobody waits for the picker: a ranking is requested ahead of need, and while there is
 * none, the leaf with the best score is used, then the shallowest, then the first. (`one-at-a-time` is the plain form,
 * where every guided leaf waits for a separate call.) With `inRounds`, timing decides nothing. With very many slots,
 * several rankings are made side by side.
 */
export class Research implements Strategy {
  readonly #options: ResearchOptions;
  #size: Size;
  /** Oldest first. */
  readonly #wishes = new Set<NodeId>();
  #tree!: Tree;
  #leaves = new OpenLeaves();
  #ranking: NodeId[] = [];
  /** Those that a picker has seen: whatever it did not name is not better for being newer. */
  #wasRanked = new Set<NodeId>();
  #sideBySide = new RankingsSideBySide([]);
  readonly #underWay = new Map<string, Move>();
  readonly #busy = new Set<NodeId>();
  #picks = 0;
  readonly #failures = new PickFailures();
  #moves = 0;
  #reorderings = 0;

  constructor(options: ResearchOptions) {
    this.#options = options;
    this.#size = options.size;
  }

  open(tree: Tree, ranking: readonly NodeId[] = []): void {
    this.#tree = tree;
    this.#index();
    this.#ranking = this.#usable(ranking);
    this.#sideBySide = new RankingsSideBySide(this.#ranking);
    // The journal does not tell what was open when the picker was last asked: what it left out is not better now.
    if (ranking.length > 0) this.#wasRanked = new Set(this.#leaves.ids());
  }

  ask(room: number): Move[] {
    if (!this.#tree.root.listed) return this.#askForFirstLevel(room);
    this.#keepOrder();
    const { picksTakeSlots, picker, inRounds } = this.#options;
    // The other forms ask when nothing else is to be done.
    const isRankedFirst = picksTakeSlots && picker === 'ranked' && !inRounds;
    const moves = isRankedFirst ? this.#picksNow(room, room) : [];
    while (moves.length < room) {
      const node = this.#next();
      if (!node) break;
      moves.push(this.#begin('expand', [node.id]));
    }
    return isRankedFirst ? moves : [...moves, ...this.#picksNow(room - moves.length)];
  }

  /** Returns the picks to begin now. @param most so many, if they take slots */
  #picksNow(freeSlots: number, most = Number.POSITIVE_INFINITY): Move[] {
    if (most <= 0) return [];
    if (this.#hasSeveral) return this.#rankingsSideBySide(most);
    return this.#wantsRanking(freeSlots) ? [this.#begin('pick', this.#candidates())] : [];
  }

  tell(move: Move, result: MoveResult): void {
    if (!this.#underWay.delete(move.id)) return;
    if (move.kind === 'pick') this.#tellPick(move, result);
    else if (move.kind === 'expand') this.#tellExpansion(move);
    else this.changed(this.#tree.root.children.map((child) => child.id));
  }

  changed(nodes: Iterable<NodeId>): void {
    for (const id of nodes) {
      if (this.#busy.has(id)) continue; // its move reports it
      const top = this.#tree.get(id);
      // A branch is pruned and restored at its top, and children are open only below expanded nodes.
      if (top) for (const node of walk(top)) this.#lookAt(node);
      else this.#leaves.delete(id);
    }
  }

  get end(): 'size' | 'complete' | undefined {
    // A pick under way has no effect once there is nothing left to choose.
    if (this.#busy.size > 0 || !this.#tree.root.listed) return undefined;
    if (this.#leaves.size === 0) return 'complete';
    return this.#remaining() <= 0 && !this.#wished() ? 'size' : undefined;
  }

  wish(node: NodeId): void {
    const wanted = this.#tree.get(node);
    // Open topics above it have to come first.
    const above = wanted ? lineageOf(wanted).filter(({ id, status }) => id !== node && status === 'unexpanded') : [];
    for (const id of [...above.map((each) => each.id), node]) {
      this.#wishes.delete(id);
      this.#wishes.add(id);
      this.changed([id]);
    }
  }

  grow(size: Size): void {
    this.#size = size;
    this.#index(); // a leaf that is expected to add little is open in a search that goes to its end
  }

  /** Returns the content of the index, for comparison with one built from scratch. */
  snapshot(): { open: NodeId[]; firstLevel: number; best: NodeId | undefined } {
    this.#keepOrder();
    return {
      open: this.#leaves.ids().sort((a, b) => a - b),
      firstLevel: this.#leaves.firstLevelSize,
      best: this.#leaves.best()?.id,
    };
  }

  #index(): void {
    this.#reorderings = this.#tree.reorderings;
    this.#leaves = new OpenLeaves();
    for (const node of walk(this.#tree.root)) this.#lookAt(node);
  }

  // Only a person reorders existing nodes, by hand: rare enough to rebuild the index.
  #keepOrder(): void {
    if (this.#reorderings !== this.#tree.reorderings) this.#index();
  }

  #lookAt(node: TreeNode): void {
    if (this.#isOpen(node)) this.#leaves.add(node);
    else this.#leaves.delete(node.id);
  }

  #askForFirstLevel(room: number): Move[] {
    return room > 0 && this.#underWay.size === 0 ? [this.#begin('list-root', [this.#tree.root.id])] : [];
  }

  #begin(kind: ResearchMove, nodes: NodeId[], more: Pick<PickMove, 'beside'> = {}): PickMove {
    const move = { id: `${kind}-${++this.#moves}`, kind, nodes, ...more };
    this.#underWay.set(move.id, move);
    if (kind === 'pick') this.#picks++;
    if (kind === 'expand')
      for (const id of nodes) {
        this.#busy.add(id);
        this.#leaves.delete(id);
        this.#sideBySide.take(id);
        this.#wishes.delete(id);
      }
    return move;
  }

  /** The node that a free slot should work on. */
  #next(): TreeNode | undefined {
    const wished = this.#wished();
    if (wished || this.#remaining() <= 0) return wished;
    return this.#leaves.nextOfFirstLevel() ?? this.#nextGuided();
  }

  /** Returns the next one of the ranking, unless a better one has appeared since. */
  #nextGuided(): TreeNode | undefined {
    const ranked = this.#nextRanked();
    if (!ranked || this.#options.inRounds || this.#options.picker !== 'ranked') return ranked ?? this.#nextUnranked();
    const best = this.#leaves.best();
    return best && !this.#wasRanked.has(best.id) && worth(best) > worth(ranked) ? best : ranked;
  }

  /** Returns the node that a person wants next; the size does not apply to it. */
  #wished(): TreeNode | undefined {
    for (const id of this.#wishes) if (this.#leaves.has(id)) return this.#tree.get(id);
    return undefined;
  }

  #nextRanked(): TreeNode | undefined {
    while (this.#ranking.length > 0) {
      const id = this.#ranking[0] as NodeId;
      if (this.#leaves.has(id)) return this.#tree.get(id);
      this.#ranking.shift(); // worked on, pruned or removed since it was ranked
    }
    return undefined;
  }

  #nextUnranked(): TreeNode | undefined {
    const { picker, inRounds } = this.#options;
    if (inRounds) return this.#failures.areTooMany && this.#busy.size === 0 ? this.#leaves.best() : undefined;
    return picker === 'ranked' || this.#failures.areTooMany ? this.#leaves.best() : undefined;
  }

  /** Counts the expansions that the size still allows, excluding those under way. */
  #remaining(): number {
    return expansionsOf(this.#size) - this.#tree.worked - this.#busy.size;
  }

  /** True if rankings are asked for side by side; those by rule cost nothing, the plain form has one leaf at a time. */
  get #hasSeveral(): boolean {
    const { concurrency, picker, inRounds } = this.#options;
    return needsSeveral(concurrency) && picker === 'ranked' && !inRounds;
  }

  #rankingsSideBySide(most: number): Move[] {
    const moves: Move[] = [];
    if (!this.#hasPatience()) return moves;
    const { concurrency: slots } = this.#options;
    const first = this.#leaves.firstLevelSize;
    const guided = this.#leaves.size - first;
    const outlook = { slots, first, guided, ranked: this.#ranking.length, remaining: this.#remaining() };
    const wanted = this.#sideBySide.wanted(outlook);
    const ranked = wanted > 0 ? new Set(this.#ranking) : undefined;
    for (let n = 0; ranked && n < Math.min(wanted, most); n++) {
      const candidates = this.#sideBySide.window(this.#leaves, ranked);
      if (candidates.length === 0) break;
      const move = this.#begin('pick', candidates, { beside: this.#sideBySide.next(slots) });
      this.#sideBySide.begin(move);
      moves.push(move);
    }
    return moves;
  }

  #wantsRanking(freeSlots: number): boolean {
    const remaining = this.#remaining();
    const guided = this.#leaves.size - this.#leaves.firstLevelSize;
    if (this.#picks > 0 || remaining <= 0 || guided === 0 || !this.#hasPatience()) return false;
    if (this.#options.inRounds) return this.#busy.size === 0 && this.#ranking.length === 0;
    if (this.#options.picker === 'one-at-a-time') return freeSlots > 0 && this.#ranking.length === 0;
    // Where all of them will be worked on, their order is not worth a call.
    if (this.#leaves.size <= remaining && Number.isFinite(remaining)) return false;
    const upcoming = this.#leaves.firstLevelSize + this.#ranking.length;
    if (upcoming >= remaining) return false;
    const unranked = guided - this.#ranking.length;
    const length = this.#rankingLength();
    // Well ahead if the ranking would be a good one, else when it is nearly used up: each costs a prompt.
    return unranked >= length / 2 ? upcoming <= length / 4 : unranked > 0 && upcoming <= this.#options.concurrency;
  }

  #hasPatience(): boolean {
    return this.#failures.mayPick(this.#hasSeveral ? this.#options.concurrency : this.#rankingLength() / 4);
  }

  #rankingLength(): number {
    return rankingLength(this.#options);
  }

  /** Returns the nodes that the picker chooses from: what is already ranked, then a window over the rest. */
  #candidates(): NodeId[] {
    if (this.#options.inRounds) return this.#leaves.bestGuided(MOST_IN_ROUNDS).map((node) => node.id);
    if (this.#options.picker === 'one-at-a-time') return this.#leaves.nextWindow(this.#leaves.size).map((n) => n.id);
    const most = 2 * this.#rankingLength();
    const ranked = this.#ranking.filter((id) => this.#leaves.has(id)).slice(0, most / 2);
    const others = this.#leaves.nextWindow(most).map((node) => node.id);
    return [...new Set([...ranked, ...others])].slice(0, most);
  }

  #tellPick(move: PickMove, result: MoveResult): void {
    this.#picks--;
    this.#sideBySide.end(move);
    const chosen = result.outcome === 'ranked' ? this.#usable(result.ranking) : [];
    if (chosen.length === 0) {
      this.#failures.add(); // an unusable answer counts as none: asking repeatedly would only cost money
      return;
    }
    this.#failures.forget();
    for (const id of move.nodes) this.#wasRanked.add(id);
    this.#sideBySide.add(move.beside ? chosen : this.#usable([...chosen, ...this.#ranking]), move.beside);
    this.#ranking = this.#usable(this.#sideBySide.ranking);
  }

  /** Returns the usable part of a ranking, without repetitions; a call of the plain picker is for one leaf. */
  #usable(ranking: readonly NodeId[]): NodeId[] {
    const usable = [...new Set(ranking)].filter((id) => this.#leaves.has(id) && this.#isGuided(id));
    return this.#options.picker === 'one-at-a-time' ? usable.slice(0, 1) : usable;
  }

  #isGuided(id: NodeId): boolean {
    return (this.#tree.get(id)?.depth ?? 0) > 1;
  }

  #tellExpansion(move: Move): void {
    this.#failures.expanded();
    for (const id of move.nodes) {
      this.#busy.delete(id);
      this.changed([id]);
    }
  }

  #isOpen(node: TreeNode): boolean {
    const { parent } = node;
    if (!parent || node.status !== 'unexpanded' || this.#busy.has(node.id)) return false;
    const parentDone = parent.parent ? parent.status === 'expanded' : parent.listed;
    return parentDone && !isPruned(parent) && this.#isWorthIt(node);
  }

  /** Tells whether a leaf is expected to add enough. What a person added has no score, and is wanted. */
  #isWorthIt({ id, depth, evaluation }: TreeNode): boolean {
    const { leastScore = 0, inRounds } = this.#options;
    if (inRounds || depth === 1 || this.#size === 'all' || evaluation === undefined) return true;
    return evaluation.score >= leastScore || this.#wishes.has(id);
  }
}

function worth({ evaluation }: TreeNode): number {
  return evaluation?.score ?? -1;
}

/** After so many failed picks in a row the best open leaf is used, until the next attempt. */
const PATIENCE = 2;

/** Picks that failed in a row: after too many, nobody asks for one before some work was done without. */
export class PickFailures {
  #inARow = 0;
  #expansionsSince = 0;

  get areTooMany(): boolean {
    return this.#inARow >= PATIENCE;
  }

  /**
   * Tells whether a pick may be asked for now.
   * @param pause the number of expansions until the next attempt
   */
  mayPick(pause: number): boolean {
    if (this.areTooMany && this.#expansionsSince < pause) return false;
    if (this.areTooMany) this.forget();
    return true;
  }

  add(): void {
    this.#inARow++;
    this.#expansionsSince = 0;
  }

  /** One succeeded. */
  forget(): void {
    this.#inARow = 0;
  }

  /** A node was expanded. */
  expanded(): void {
    this.#expansionsSince++;
  }
}
