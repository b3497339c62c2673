import { takingAt } from '../../../core/offers/offer-book.ts';
import { pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import type { SearchContext } from '../../../engine/search-context.ts';
import type { WorkGraphOptions } from '../face.ts';
import type { LoopLimits } from '../graph/loop.ts';
import type { PlanFile } from '../plan/plan.ts';
import type { Roles } from '../roles/roles.ts';
import type { GraphFacts } from './strategy/work-graph-strategy.ts';
import type { Try } from './tree/own-fields.ts';
import { graphFrom } from './tree/read-graph.ts';
import { goalFieldsOf } from './work-search.ts';

/** Returns what the strategy has to know that is not in the tree. @param limits those of the plan, as last read */
export function graphFacts(ctx: SearchContext, roles: Roles, limits: () => PlanFile['limits'] | undefined): GraphFacts {
  const { options } = ctx;
  return {
    hands: ({ own }) => (own?.by !== 'person' && (own?.run !== undefined || roles.work) ? 'here' : 'outside'),
    isTaken: ({ node }) => isTaken(ctx, node),
    can: () => ({ probe: roles.probe !== undefined, decompose: roles.decompose !== undefined, extend: true }),
    limits: (): LoopLimits => {
      const { iterations = 20, parallel = 3, stall = 3 } = limits() ?? {};
      return { iterations, parallel: (options as WorkGraphOptions).parallel ?? parallel, stall, since: sinceIn(ctx) };
    },
  };
}

/** Tells whether somebody outside has taken an atom that was offered. */
export function isTaken({ history, clock }: Pick<SearchContext, 'history' | 'clock'>, node: TreeNode): boolean {
  const path = pathOf(node);
  const now = clock.now();
  return history.past.offers.open.some((open) => open.offer.nodes.includes(path) && takingAt(open, now) !== undefined);
}

/** The last iteration before a person let the loop go on. */
function sinceIn({ tree }: Pick<SearchContext, 'tree'>): number | undefined {
  const { goal } = graphFrom(tree);
  const since = goal && (goalFieldsOf(goal.node) as { since?: unknown } | undefined)?.since;
  return typeof since === 'number' && Number.isSafeInteger(since) && since >= 0 ? since : undefined;
}

/** The newest iteration that any atom was taken in, or the base case looked at; 0 before the first. */
export function lastIteration({ tree }: Pick<SearchContext, 'tree'>): number {
  const { atoms, goal } = graphFrom(tree);
  return Math.max(newestOf(goal?.own.tries), ...[...atoms.values()].map(({ own }) => newestOf(own?.tries)));
}

/**
 * The iteration that an answer from outside belongs to: the newest one, as nobody knows when that work began; a new one once
 * the base case has been looked at, so that it is looked at again.
 */
export function iterationOfAnswer(search: Pick<SearchContext, 'tree'>): number {
  return Math.max(lastIteration(search), newestOf(graphFrom(search.tree).goal?.own.tries) + 1);
}

function newestOf(tries: readonly Try[] = []): number {
  return tries.reduce((last, { iteration }) => Math.max(last, iteration), 0);
}
