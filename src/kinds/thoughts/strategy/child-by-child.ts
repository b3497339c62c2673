import { byPosition, pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import { OPEN, type Place, triesOf } from '../thought-node.ts';
import { drawsAt, type Random } from './draws.ts';
import type { Plan } from './thought-rules.ts';
import { ThoughtStrategy } from './thought-strategy.ts';

/** A number of observations from 0 to 1 and their sum, in whole thousandths, so that no order matters. */
export class Observed {
  count = 0;
  #thousandths = 0;

  add(thousandths: number, times: 1 | -1): void {
    this.count += times;
    this.#thousandths += times * thousandths;
  }

  get sum(): number {
    return this.#thousandths / 1000;
  }
}

/** The knowledge of a node and of all below it. */
interface Arm {
  /** The scores of thoughts that were made at the node itself. */
  readonly made: Observed;
  /** The scores of those that were made below these. */
  readonly beyond: Observed;
  /** The scores of the node itself and all below it, without steps that others follow. */
  readonly reached: Observed;
  /** Rounds of making thoughts at the node and below it. */
  rounds: number;
  /** Nodes there that can be continued, or be asked again. */
  open: number;
  /** Moves under way that make thoughts at the node, and there or below it. */
  makingHere: number;
  making: number;
}

/** A node's own part in the arms of those above it. */
interface Own {
  readonly parent: TreeNode | undefined;
  readonly seen: number | undefined;
  readonly isInner: boolean;
  readonly rounds: number;
  readonly open: boolean;
}

/** A choice at a node: to make thoughts there, or to go on below one of its children. */
export interface Choice {
  readonly node: TreeNode;
  readonly arm: Arm;
  /** The children below which something is left to do. */
  readonly children: readonly TreeNode[];
  readonly random: Random;
}

const MAKES = new Set(['expand', 'try-again']);

/**
 * The base of strategies that judge child by child: they go down from the root, and at each node either make thoughts there
 * (`expand`, `try-again`) or go on below a child. What was made is judged at once. Scores are the observations; an inner step
 * counts by what was reached below it. What is under way counts as begun, and no more than half of the slots make thoughts at
 * the same node.
 */
export abstract class ChildByChild extends ThoughtStrategy {
  protected override readonly asksSideBySide = true;
  #arms = new Map<TreeNode, Arm>();
  readonly #own = new Map<TreeNode, Own>();
  readonly #pending = new Set<TreeNode>();

  /** Returns where to go from a node, best first: `here` makes thoughts at it. */
  protected abstract order(choice: Choice): Iterable<TreeNode | 'here'>;

  protected armOf(node: TreeNode): Arm {
    let arm = this.#arms.get(node);
    if (!arm) {
      const observed = { made: new Observed(), beyond: new Observed(), reached: new Observed() };
      arm = { ...observed, rounds: 0, open: 0, makingHere: 0, making: 0 };
      this.#arms.set(node, arm);
    }
    return arm;
  }

  protected clear(): void {
    this.#arms = new Map();
    this.#own.clear();
    this.#pending.clear();
  }

  protected moved(node: TreeNode, before: Place | undefined, now: Place | undefined): void {
    if (now === 'pending') this.#pending.add(node);
    else this.#pending.delete(node);
    this.#take(node, now);
    const { parent, children } = node;
    // What a round made counts once the round is complete.
    if ((now === 'expanded') !== (before === 'expanded'))
      for (const child of children) this.#take(child, this.placeOf(child));
    // Its own score counts until there are others below it.
    if (parent && this.tree.get(parent.id) === parent) this.#take(parent, this.placeOf(parent));
  }

  #take(node: TreeNode, place: Place | undefined): void {
    const before = this.#own.get(node);
    if (before) this.#count(node, before, -1);
    this.#own.delete(node);
    if (this.tree.get(node.id) !== node) return;
    const isInner = this.armOf(node).made.count > 0;
    // A round that a killed run left incomplete is not one yet.
    const rounds = place === 'expanded' ? triesOf(node) : 0;
    const own = { parent: node.parent, seen: seenAt(node), isInner, rounds, open: this.#isOpen(node, place) };
    this.#own.set(node, own);
    this.#count(node, own, 1);
  }

  protected plan(room: number, remaining: number): Plan[] {
    if (this.#pending.size > 0) {
      const judged = this.judgeAll([...this.#pending].sort(byPosition));
      if (judged.length > 0) return judged.slice(0, room);
    }
    if (room <= 0 || remaining <= 0 || this.isAnswered) return [];
    this.#countUnderWay();
    const most = Math.max(1, Math.floor((room + this.slotsUnderWay) / 2));
    const node = this.#choose(this.tree.root, most);
    if (!node) return [];
    return [{ kind: this.placeOf(node) === 'expanded' ? 'try-again' : 'expand', nodes: [node] }];
  }

  /** Returns the first node of the order below which something may be begun. */
  #choose(node: TreeNode, most: number): TreeNode | undefined {
    const arm = this.armOf(node);
    const children = node.children.filter((child) => this.armOf(child).open > 0);
    const isHere =
      this.#own.get(node)?.open === true && arm.makingHere < Math.min(most, this.rules.tries - triesOf(node));
    if (children.length === 0) return isHere ? node : undefined;
    const random = drawsAt(this.rules.seed ?? 0, pathOf(node), arm.rounds + arm.reached.count + arm.making);
    for (const next of this.order({ node, arm, children, random })) {
      const found = next === 'here' ? (isHere ? node : undefined) : this.#choose(next, most);
      if (found) return found;
    }
    return undefined;
  }

  #isOpen(node: TreeNode, place: Place | undefined): boolean {
    if (place === 'expanded') return triesOf(node) < this.rules.tries;
    return place !== undefined && place !== 'pending' && OPEN.has(place);
  }

  /** Adds a node's part to what is known of it and of all above it, or takes it away again. */
  #count(node: TreeNode, { parent, seen, isInner, rounds, open }: Own, times: 1 | -1): void {
    for (let at: TreeNode | undefined = node; at; at = at === node ? parent : at.parent) {
      const arm = this.armOf(at);
      if (seen !== undefined) {
        if (at === parent) arm.made.add(seen, times);
        else if (at !== node && !isInner) arm.beyond.add(seen, times);
        if (!isInner) arm.reached.add(seen, times);
      }
      arm.rounds += times * rounds;
      if (open) arm.open += times;
    }
  }

  #countUnderWay(): void {
    for (const arm of this.#marked) {
      arm.makingHere = 0;
      arm.making = 0;
    }
    this.#marked.clear();
    for (const { kind, nodes } of this.underWay) {
      const top = MAKES.has(kind) ? this.tree.get(nodes[0] as TreeNode['id']) : undefined;
      for (let at = top; at; at = at.parent) {
        const arm = this.armOf(at);
        if (at === top) arm.makingHere++;
        arm.making++;
        this.#marked.add(arm);
      }
    }
  }

  readonly #marked = new Set<Arm>();
}

/** Returns what a node tells of the round that made it, in thousandths; undefined if nothing yet, or if a person decided. */
export function seenAt(node: TreeNode): number | undefined {
  const { parent, evaluation, status, prunedBy, leafReason } = node;
  if (!parent || prunedBy === 'user' || status === 'failed') return undefined;
  if (parent.parent ? parent.status !== 'expanded' : !parent.listed) return undefined;
  if (leafReason === 'solved') return 1000;
  if (leafReason === 'duplicate' || prunedBy === 'verifier' || prunedBy === 'constraint') return 0;
  return evaluation && Math.round(100 * evaluation.score);
}
