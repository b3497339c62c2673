import type { TreeNode } from '../../../core/tree/tree.ts';
import { ChildByChild, type Choice, type Observed } from './child-by-child.ts';
import { type Random, randomBeta } from './draws.ts';
import type { StrategyFacts } from './thought-rules.ts';

/** Asks again wherever that promises most, however often. */
export const adaptive = {
  tries: 1000,
  source: 'AB-MCTS-A',
  perLevel: (beam) => beam,
  asksSideBySide: true,
  draws: true,
} as const satisfies StrategyFacts;

/** A score says more than a yes or no: it counts as so many of these. */
const WEIGHT = 2.5;
/** Jeffreys' prior. */
const PRIOR = 0.5;

/**
 * Wider or deeper, by what each brought so far (AB-MCTS-A): at each node, the worth of one more thought there is drawn from
 * what those made there were worth, and that of going on from what was reached below its children, both from Beta
 * distributions. The higher one wins; then the child with the highest draw.
 */
export class Adaptive extends ChildByChild {
  protected *order({ arm, children, random }: Choice): Generator<TreeNode | 'here'> {
    const { made, beyond, making, makingHere } = arm;
    const isWider = drawn(random, made, makingHere) > drawn(random, beyond, making - makingHere);
    if (isWider) yield 'here';
    const draws = children.map((child) => {
      const { reached, making: underWay } = this.armOf(child);
      return { child, worth: drawn(random, reached, underWay) };
    });
    for (const { child } of draws.sort((a, b) => b.worth - a.worth)) yield child;
    if (!isWider) yield 'here';
  }
}

/** @param underWay what is still to come: it is taken to be as good as what came, so that it is waited for */
function drawn(random: Random, { sum, count }: Observed, underWay: number): number {
  const mean = (PRIOR + sum) / (2 * PRIOR + count);
  const good = sum + underWay * mean;
  return randomBeta(random, PRIOR + WEIGHT * good, PRIOR + WEIGHT * (count + underWay - good));
}
