import type { GoalNode } from '../tree/read-graph.ts';
import { worstWord } from '../tree/worst-word.ts';

/** The next step for the goal once everything is resolved; `uncheckable` and `other` wait for a person. */
export type GoalStep = 'solved' | 'verify' | 'extend' | 'uncheckable' | 'other';

/**
 * Tells what comes next for the goal. Its evidence counts as long as no atom was taken in a later iteration than the
 * last look at the base case; a look that was followed by new atoms ends as `decomposed`.
 * @param last the newest iteration that any atom was taken in
 */
export function goalStep({ node, own: { evidence, tries = [] } }: GoalNode, last: number): GoalStep {
  const look = tries.findLast(({ ended }) => ended !== undefined && ended !== 'dropped');
  const word = worstWord(evidence);
  if (node.status === 'failed') return 'other';
  if (look && look.iteration < last) return 'verify';
  if (word === undefined) return node.status === 'leaf' && !look ? 'solved' : 'verify';
  if (node.status === 'leaf' || word === 'verified') return 'solved';
  if (word === 'uncheckable') return 'uncheckable';
  return word === 'contradicted' && look?.ended !== 'decomposed' && look?.ended !== 'failed' ? 'extend' : 'other';
}
