import type { Move, MoveResult, SearchEnd, Strategy } from '../../../core/kind/strategy.ts';
import { expansionsOf, type Size } from '../../../core/search/limits.ts';
import { byPosition, isPruned, nodeAt, type Tree, type TreeNode, walk } from '../../../core/tree/tree.ts';
import type { NodeId } from '../../../core/tree/tree-node.ts';
import { byRank, OPEN, type Place, placeIn, roundsBegun, triesOf, worthOf } from '../thought-node.ts';
import type { Plan, ThoughtMove, ThoughtRules } from './thought-rules.ts';
import { nextWholeSolution } from './whole-solutions.ts';

interface Known {
  readonly node: TreeNode;
  readonly place: Place | undefined;
  readonly score: number | undefined;
  readonly rank: number | undefined;
  readonly tries: number;
  readonly leafReason: TreeNode['leafReason'];
}

/** The most thoughts judged in one call. */
export const MOST_JUDGED = 40;

/**
 * The base of all searches for a solution: the state of each node, wishes, the size, and the end. A strategy adds
 * `plan`, which decides on that basis what comes next, and keeps whatever it needs to do so quickly.
 */
export abstract class ThoughtStrategy implements Strategy {
  protected readonly rules: ThoughtRules;
  protected tree!: Tree;
  protected readonly counts: Record<Place, number> = { ...NO_COUNTS };
  readonly #known = new Map<NodeId, Known>();
  #merged!: MergedThoughts;
  /** True if a node may be asked for further thoughts several times at once. */
  protected readonly asksSideBySide: boolean = false;
  /** As so much of the size one continuation counts. */
  protected readonly stepsATime: number = 1;
  /** Nodes at which a run was killed in a further round: its result may be incomplete. */
  readonly #unfinished = new Set<TreeNode>();
  /** Open nodes that an earlier run had begun to continue. */
  readonly #begun = new Set<TreeNode>();
  /** Thoughts that a judge considered solutions. */
  readonly #judgedSolutions = new Set<TreeNode>();
  /** The number of times that nodes were asked once more. */
  #furtherTries = 0;
  readonly #underWay = new Map<string, Move>();
  readonly #busy = new Set<NodeId>();
  #size: Size;
  /** Oldest first. */
  readonly #wishes = new Set<NodeId>();
  #moves = 0;
  #reorderings = 0;

  constructor(rules: ThoughtRules) {
    this.rules = rules;
    this.#size = rules.size;
  }

  /** Forgets everything derived. */
  protected abstract clear(): void;
  /** Updates a node whose state, score or rank changed. */
  protected abstract moved(node: TreeNode, before: Place | undefined, now: Place | undefined): void;
  /**
   * Returns what to do next; changes nothing.
   * @param room free slots
   * @param remaining expansions that the size still allows
   */
  protected abstract plan(room: number, remaining: number): Plan[];

  /**
   * Returns what is begun though there is a solution, because with more slots, or with another timing, it would have
   * been begun before the solution was found; nothing by default. Changes nothing.
   * @param remaining expansions that the size still allows
   */
  protected finishBegun(_remaining: number): Plan[] {
    return [];
  }

  open(tree: Tree): void {
    this.tree = tree;
    this.#index();
  }

  ask(room: number): Move[] {
    if (!this.tree.root.listed) {
      const first = room > 0 && this.#underWay.size === 0;
      return first ? [this.#begin({ kind: 'list-root', nodes: [this.tree.root] })] : [];
    }
    if (this.#reorderings !== this.tree.reorderings) this.#index();
    const moves: Move[] = [];
    for (let free = room; ; ) {
      const plans = this.#next(free, this.#remaining());
      if (plans.length === 0) {
        if (moves.length === 0 && room > 0 && this.#mayAsk) moves.push(this.#begin({ kind: 'ask-person', nodes: [] }));
        return moves;
      }
      for (const plan of plans) {
        moves.push(this.#begin(plan));
        if (TAKES_SLOT.has(plan.kind)) free--;
      }
    }
  }

  tell(move: Move, _result: MoveResult): void {
    if (!this.#underWay.delete(move.id)) return;
    const isShared = this.#isShared(move);
    for (const id of move.nodes) {
      if (!isShared) this.#busy.delete(id);
      this.#lookBelow(id, isShared ? 1 : Number.POSITIVE_INFINITY);
    }
  }

  changed(nodes: Iterable<NodeId>): void {
    for (const id of nodes) if (!this.#busy.has(id)) this.#lookBelow(id); // the moves of busy ones report their changes
  }

  wish(node: NodeId): void {
    this.#wishes.delete(node);
    this.#wishes.add(node);
  }

  grow(size: Size): void {
    this.#size = size;
  }

  get end(): SearchEnd | undefined {
    if (this.#underWay.size > 0 || !this.tree.root.listed) return undefined;
    if (this.#next(1, this.#remaining()).length > 0) return undefined;
    if (this.counts.solved > 0 && this.isAnswered) return 'solved';
    if (this.#mayAsk) return undefined;
    if (!this.rules.hasStalled?.() && this.#next(1, Number.POSITIVE_INFINITY).length > 0) return 'size';
    return this.counts.solved > 0 ? 'solved' : 'complete';
  }

  /** Returns the content of the index, for comparison with one built from scratch. */
  snapshot(): { counts: Record<Place, number>; next: { kind: string; nodes: NodeId[] }[] } {
    const next = this.#next(Number.POSITIVE_INFINITY, this.#remaining());
    return {
      counts: { ...this.counts },
      next: next.map(({ kind, nodes }) => ({ kind, nodes: nodes.map(({ id }) => id) })),
    };
  }

  /** The moves under way. */
  protected get underWay(): Iterable<Move> {
    return this.#underWay.values();
  }

  /** The slots that are taken by moves under way. */
  protected get slotsUnderWay(): number {
    let count = 0;
    for (const { kind } of this.#underWay.values()) if (TAKES_SLOT.has(kind)) count++;
    return count;
  }

  protected isUnderWay(kind: ThoughtMove): boolean {
    return [...this.#underWay.values()].some((move) => move.kind === kind);
  }

  /** True if nothing at all is under way. */
  protected get isIdle(): boolean {
    return this.#underWay.size === 0;
  }

  protected isBusy(node: TreeNode): boolean {
    return this.#busy.has(node.id);
  }

  protected placeOf(node: TreeNode): Place | undefined {
    return this.#known.get(node.id)?.place;
  }

  /** True if as many paths as wanted may be an answer, so that nothing passed over is taken up any more. */
  protected get isAnswered(): boolean {
    return this.counts.finished + this.counts.solved >= (this.rules.wantedEnds?.() ?? 1);
  }

  /**
   * Judgements of these nodes, together or by parent, as the settings say. Where equal thoughts are merged, one after the
   * other: which one is merged, and into what, depends on what was judged before.
   */
  protected judgeAll(nodes: readonly TreeNode[]): Plan[] {
    const isTogether = this.rules.judge === 'layer';
    const groups = isTogether ? [nodes] : [...Map.groupBy(nodes, ({ parent }) => parent).values()];
    const plans = groups.flatMap((group) => this.judge(group));
    if (!this.rules.merges) return plans;
    return this.isUnderWay('evaluate') ? [] : plans.slice(0, 1);
  }

  /** Judgements of these nodes, as many per call as possible. */
  protected judge(nodes: readonly TreeNode[]): Plan[] {
    const plans: Plan[] = [];
    for (let at = 0; at < nodes.length; at += MOST_JUDGED)
      plans.push({ kind: 'evaluate', nodes: nodes.slice(at, at + MOST_JUDGED) });
    return plans;
  }

  #next(room: number, remaining: number): Plan[] {
    const orphans = [...this.#merged.orphans].filter((node) => !this.isBusy(node));
    if (orphans.length > 0) return [{ kind: 'revive', nodes: orphans }];
    if (this.isUnderWay('revive')) return []; // what they lead to belongs to what is decided next
    const unfinished = [...this.#unfinished].filter((node) => this.#isLeftUnfinished(node));
    if (unfinished.length > 0) return unfinished.slice(0, room).map((node) => ({ kind: 'try-again', nodes: [node] }));
    const wished = this.#wished();
    // A person's own thought is judged like others before it is continued.
    const unjudged = wished.filter((node) => this.placeOf(node) === 'pending' && this.rules.isWanted?.(node));
    if (unjudged.length > 0) return this.judgeAll(unjudged).slice(0, room);
    if (wished.length > 0) return wished.slice(0, room).map((node): Plan => ({ kind: 'expand', nodes: [node] }));
    const unwritten = this.at('unwritten').slice(0, room);
    if (unwritten.length > 0) return unwritten.map((node) => ({ kind: 'write-combined', nodes: [node] }));
    const usual =
      this.counts.solved > 0 && this.isAnswered
        ? this.#afterSolution(room, remaining)
        : this.#untilSolution(room, remaining);
    if (usual.length > 0 || room === 0 || !this.isIdle || !this.rules.isGraded?.()) return usual;
    return this.#aroundWholeSolutions(remaining);
  }

  #untilSolution(room: number, remaining: number): Plan[] {
    return this.counts.claimed > 0 ? this.#verifyClaims(room) : this.plan(room, remaining);
  }

  /**
   * A second judgement of the best thought that was called a solution, once all are judged that were to be judged together
   * with it: which is the best must not depend on the order of answers.
   */
  #verifyClaims(room: number): Plan[] {
    const pending = this.judgeAll(this.at('pending'));
    if (pending.length > 0) return pending.slice(0, room);
    if (room === 0 || this.isUnderWay('evaluate') || this.isUnderWay('second-verdict')) return [];
    const [best] = this.at('claimed').sort(byWorth);
    return best ? [{ kind: 'second-verdict', nodes: [best] }] : [];
  }

  #aroundWholeSolutions(remaining: number): Plan[] {
    const plan = nextWholeSolution(this.tree, { mayExpand: remaining > 0, placeOf: (node) => this.placeOf(node) });
    return plan?.kind === 'evaluate' ? this.judge(plan.nodes).slice(0, 1) : plan ? [plan] : [];
  }

  /** Returns the nodes in a place that nothing works on, in order. */
  protected at(place: Place): TreeNode[] {
    if (this.counts[place] === 0) return [];
    const nodes = [...this.#known.values()].filter((known) => known.place === place).map(({ node }) => node);
    return nodes.sort(byPosition);
  }

  #afterSolution(room: number, remaining: number): Plan[] {
    const begun = this.#begunBefore();
    const isNew = ({ nodes }: Plan): boolean => !begun.some((each) => each.nodes[0] === nodes[0]);
    const together = this.rules.isOver ? [] : this.finishBegun(remaining).filter(isNew);
    return [...begun, ...together, ...this.#judgedAfterwards()].slice(0, room);
  }

  /** Returns what a killed run had begun when the solution was found, and not completed. */
  #begunBefore(): Plan[] {
    return [...this.#begun]
      .filter((node) => OPEN.has(this.placeOf(node) ?? 'solved'))
      .map((node) => ({ kind: 'expand', nodes: [node] }));
  }

  /**
   * Returns what is judged though there is a solution: what a person wants to know, and what was to be judged together
   * with a thought that the judge considered the solution. Otherwise the number of calls would depend on the number of
   * slots, and on when a run was killed.
   */
  #judgedAfterwards(): Plan[] {
    const isAll = this.#judgedSolutions.size > 0;
    return this.judgeAll(this.at('pending').filter((node) => isAll || this.rules.isWanted?.(node)));
  }

  /** Returns the nodes that a person wants next, oldest wish first; the size does not apply to them. */
  #wished(): TreeNode[] {
    return [...this.#wishes].flatMap((id) => {
      const known = this.#known.get(id);
      return known?.place && OPEN.has(known.place) ? [known.node] : [];
    });
  }

  /** True if it only ends for want of gain, and a person is to say whether it does. */
  get #mayAsk(): boolean {
    const { asksWhenStalled, hasStalled } = this.rules;
    if (!asksWhenStalled || !this.isIdle || !hasStalled?.()) return false;
    return !(this.counts.solved > 0 && this.isAnswered) && this.#next(1, this.#left()).length > 0;
  }

  #remaining(): number {
    return this.rules.hasStalled?.() ? 0 : this.#left();
  }

  /** Returns the expansions that the size still allows. */
  #left(): number {
    let begun = 0;
    for (const { kind } of this.#underWay.values()) if (EXPANDS.has(kind as ThoughtMove)) begun++;
    const most = Math.floor(expansionsOf(this.#size) / this.stepsATime);
    return most - this.counts.expanded - this.#furtherTries - begun;
  }

  #begin({ kind, nodes }: Plan): Move {
    const move: Move = { id: `${kind}-${++this.#moves}`, kind, nodes: nodes.map(({ id }) => id) };
    this.#underWay.set(move.id, move);
    if (kind === 'list-root') return move;
    for (const node of nodes) {
      if (!this.#isShared(move)) this.#busy.add(node.id);
      this.#look(node);
      if (kind === 'expand') this.#wishes.delete(node.id);
    }
    return move;
  }

  #isShared({ kind }: Move): boolean {
    return this.asksSideBySide && kind === 'try-again';
  }

  #isLeftUnfinished(node: TreeNode): boolean {
    if (this.isBusy(node) || isPruned(node)) return false;
    let underWay = 0;
    for (const { kind, nodes } of this.#underWay.values()) if (kind === 'try-again' && nodes[0] === node.id) underWay++;
    return roundsBegun(node).length > underWay;
  }

  #index(): void {
    this.#reorderings = this.tree.reorderings;
    this.#known.clear();
    this.#merged = new MergedThoughts(this.tree);
    this.#unfinished.clear();
    this.#begun.clear();
    this.#judgedSolutions.clear();
    this.#furtherTries = 0;
    Object.assign(this.counts, NO_COUNTS);
    this.clear();
    this.rules.beside?.clear();
    for (const node of walk(this.tree.root)) this.#look(node);
  }

  /** A branch is pruned and restored at its top, and nodes are open only below expanded ones. */
  #lookBelow(id: NodeId, levels = Number.POSITIVE_INFINITY): void {
    const top = this.tree.get(id);
    if (!top) this.#forget(id);
    else for (const node of levels === 1 ? [top, ...top.children] : walk(top)) this.#look(node);
  }

  #look(node: TreeNode): void {
    this.rules.beside?.look(node);
    const before = this.#known.get(node.id);
    const place = this.#busy.has(node.id) ? undefined : placeIn(node, this.rules.hasGoalTest);
    const { score, rank } = node.evaluation ?? {};
    const tries = triesOf(node);
    this.#merged.look(node);
    toggle(this.#unfinished, node, roundsBegun(node).length > 0);
    toggle(this.#begun, node, node.status === 'unexpanded' && node.sessionId !== undefined && !node.listed);
    toggle(this.#judgedSolutions, node, place === 'solved' && score !== undefined);
    this.#furtherTries += further(tries) - further(before?.tries ?? 0);
    const now: Known = { node, place, score, rank, tries, leafReason: node.leafReason };
    this.#known.set(node.id, now);
    if (before && isSame(before, now)) return;
    if (before?.place) this.counts[before.place]--;
    if (place) this.counts[place]++;
    this.moved(node, before?.place, place);
  }

  #forget(id: NodeId): void {
    const known = this.#known.get(id);
    if (!known) return;
    const { node, place, tries } = known;
    this.#known.delete(id);
    this.#merged.forget(node);
    this.rules.beside?.look(node);
    for (const nodes of [this.#unfinished, this.#begun, this.#judgedSolutions]) nodes.delete(node);
    this.#furtherTries -= further(tries);
    if (place) this.counts[place]--;
    this.moved(node, place, undefined);
  }
}

function isSame(a: Known, b: Known): boolean {
  return (
    a.place === b.place &&
    a.score === b.score &&
    a.rank === b.rank &&
    a.tries === b.tries &&
    a.leafReason === b.leafReason
  );
}

function toggle(nodes: Set<TreeNode>, node: TreeNode, isIn: boolean): void {
  if (isIn) nodes.add(node);
  else nodes.delete(node);
}

/** Rounds at a node apart from the first one, which the node itself counts as. */
function further(tries: number): number {
  return Math.max(0, tries - 1);
}

function byWorth(a: TreeNode, b: TreeNode): number {
  return worthOf(b) - worthOf(a) || byRank(a, b) || byPosition(a, b);
}

const NO_COUNTS: Readonly<Record<Place, number>> = {
  unwritten: 0,
  pending: 0,
  undecided: 0,
  kept: 0,
  aside: 0,
  expanded: 0,
  finished: 0,
  claimed: 0,
  solved: 0,
};

const EXPANDS: ReadonlySet<ThoughtMove> = new Set<ThoughtMove>(['expand', 'try-again', 'complete-way']);
const TAKES_SLOT: ReadonlySet<string> = new Set<ThoughtMove>([
  ...EXPANDS,
  'evaluate',
  'second-verdict',
  'compare-ends',
  'write-combined',
]);

/** Which nodes were merged into which, and those whose target is gone, which have to become independent again. */
class MergedThoughts {
  readonly #tree: Tree;
  /** The nodes merged into a node, by that node. */
  readonly #mergedInto = new Map<NodeId, Set<TreeNode>>();
  readonly #orphans = new Set<TreeNode>();

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  get orphans(): Iterable<TreeNode> {
    return this.#orphans;
  }

  /** Updates a node that may have been merged, reopened or pruned. */
  look(node: TreeNode): void {
    this.#orphans.delete(node);
    if (node.leafReason === 'duplicate' && node.sameAs !== undefined) {
      const target = nodeAt(this.#tree, node.sameAs);
      if (target && !isPruned(target)) {
        const merged = this.#mergedInto.get(target.id) ?? new Set();
        this.#mergedInto.set(target.id, merged.add(node));
      } else if (!isPruned(node)) this.#orphans.add(node);
    }
    if (this.#mergedInto.has(node.id) && isPruned(node)) this.#free(node.id);
  }

  /** Removes a node. */
  forget(node: TreeNode): void {
    this.#orphans.delete(node);
    this.#free(node.id);
  }

  #free(id: NodeId): void {
    const merged = this.#mergedInto.get(id);
    this.#mergedInto.delete(id);
    for (const node of merged ?? [])
      if (this.#tree.get(node.id) === node && node.leafReason === 'duplicate' && !isPruned(node))
        this.#orphans.add(node);
  }
}
