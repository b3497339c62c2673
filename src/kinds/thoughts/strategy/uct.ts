import type { TreeNode } from '../../../core/tree/tree.ts';
import { triesOf } from '../thought-node.ts';
import { ChildByChild, type Choice } from './child-by-child.ts';
import type { StrategyFacts } from './thought-rules.ts';

/** Asks again as a node was visited more often, however often. */
export const uct = {
  tries: 1000,
  source: 'UCT',
  perLevel: (beam) => beam,
  asksSideBySide: true,
} as const satisfies StrategyFacts;

/**
 * The child with the highest upper bound, by the mean of what was reached below it and by how rarely it was visited (UCT).
 * A node is asked again as long as it was asked less than the root of its visits (progressive widening).
 */
export class Uct extends ChildByChild {
  protected *order({ node, arm, children }: Choice): Generator<TreeNode | 'here'> {
    const own = node.parent ? 1 : 0;
    const visits = own + arm.rounds + arm.making;
    const isWider = triesOf(node) + arm.makingHere < Math.max(1, Math.floor(Math.sqrt(visits + 1)));
    if (isWider) yield 'here';
    const bounds = children.map((child) => ({ child, bound: this.#bound(child, visits) }));
    for (const { child } of bounds.sort((a, b) => b.bound - a.bound)) yield child;
    if (!isWider) yield 'here';
  }

  /** Moves under way count as visits that brought nothing yet. */
  #bound(child: TreeNode, visits: number): number {
    const { reached, making } = this.armOf(child);
    const times = Math.max(1, reached.count + making);
    return reached.sum / times + Math.sqrt((2 * Math.log(Math.max(1, visits))) / times);
  }
}
