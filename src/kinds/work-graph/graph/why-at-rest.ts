import type { Loop, LoopLimits } from './loop.ts';
import { failedForGood, type NeverReady, neverReady } from './never-ready.ts';
import { canSucceed } from './possible.ts';
import { isAllResolved } from './resolved.ts';
import { isExhausted, isGroupWanted, isWanted } from './selection.ts';
import { lineOf } from './structure.ts';
import type { AtomName, WorkGraph } from './work-graph.ts';

/** Why a work graph goes on only once a person does something. */
export type AtRest =
  /** No alternative of these groups is left: one has to be added, or tried again. */
  | { readonly kind: 'exhausted'; readonly groups: readonly AtomName[] }
  /** As many iterations as the plan allows. */
  | { readonly kind: 'iterations'; readonly limit: number }
  /** As many iterations in a row without progress as the plan allows; these atoms failed in the last one. */
  | { readonly kind: 'stall'; readonly limit: number; readonly atoms: readonly AtomName[] }
  /** Work is done, of these atoms or of the goal, which only a person can check. */
  | { readonly kind: 'person'; readonly atoms: readonly AtomName[]; readonly isGoal: boolean }
  /** Everything is resolved, the base case does not hold, and nobody here can say what else to do. */
  | { readonly kind: 'base-case' }
  /** These atoms failed and nothing takes their place; those can never be ready. */
  | { readonly kind: 'stuck'; readonly failed: readonly AtomName[]; readonly never: readonly NeverReady[] };

/**
 * The groups that stop the loop: none of their alternatives can succeed, and nothing takes the place of what they are a part
 * of.
 */
function exhaustedGroups(graph: WorkGraph): AtomName[] {
  return [...graph.groups.values()].flatMap((group) => {
    if (!isExhausted(graph, group) || !isGroupWanted(graph, group)) return [];
    const above = group.parent === undefined ? undefined : graph.atoms.get(group.parent);
    const isReplaced = above && lineOf(graph, above).some(({ name }) => canSucceed(graph, name));
    return isReplaced ? [] : group.name;
  });
}

/** Why nothing new may begin at all, whatever is ready. @param next the number of the iteration it would be in */
export function whyNothingBegins(graph: WorkGraph, loop: Loop, limits: LoopLimits, next: number): AtRest | undefined {
  const groups = exhaustedGroups(graph);
  if (groups.length > 0) return { kind: 'exhausted', groups };
  if (loop.stalls >= limits.stall) return { kind: 'stall', limit: limits.stall, atoms: loop.stuck };
  if (next - (limits.since ?? 0) > limits.iterations) return { kind: 'iterations', limit: limits.iterations };
  return undefined;
}

/**
 * Why nothing is left to do although the goal is not reached.
 * @param goal what is known about the base case, once everything is resolved
 * @param refused atoms and groups that nobody could do anything about
 */
export function whyAtRest(graph: WorkGraph, goal: 'uncheckable' | 'other', refused: readonly AtomName[] = []): AtRest {
  if (isAllResolved(graph))
    return goal === 'uncheckable' ? { kind: 'person', atoms: [], isGoal: true } : { kind: 'base-case' };
  const waiting = [...graph.atoms.values()].filter(
    (atom) => atom.needsPerson && atom.state === 'done' && isWanted(graph, atom),
  );
  if (waiting.length > 0) return { kind: 'person', atoms: waiting.map(({ name }) => name), isGoal: false };
  return { kind: 'stuck', failed: [...failedForGood(graph), ...refused], never: neverReady(graph) };
}
