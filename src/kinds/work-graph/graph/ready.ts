import {
  type Atom,
  type AtomName,
  dependenciesOf,
  groupOf,
  lineOf,
  partsOf,
  type WorkGraph,
  waitsOf,
} from './graph.ts';
import type { Loop, LoopLimits } from './loop.ts';
import { countDependents } from './order.ts';
import {
  canSucceed,
  isAllResolved,
  isExhausted,
  isGroupWanted,
  isOpen,
  isPossible,
  isResolved,
  isWanted,
} from './resolution.ts';
import { mayRunTogether } from './touches.ts';

/**
 * Tells whether everything that an atom waits for is there, so that it could begin if no other atom were in its way: it
 * is open, in the chosen branch, no proposal, and has no parts.
 */
export function isReady(graph: WorkGraph, atom: Atom): boolean {
  return (
    atom.state === 'pending' && partsOf(graph, atom.name).length === 0 && isOpen(graph, atom) && isWanted(graph, atom)
  );
}

/** Tells whether an atom may begin. @param running those that are worked on, or whose work is not joined yet */
export function mayBegin(graph: WorkGraph, atom: Atom, running: Iterable<AtomName>): boolean {
  return isReady(graph, atom) && isOutOfTheWay(graph, atom, running);
}

/** Tells whether an atom is none of those that run, and gets in the way of none. */
export function isOutOfTheWay({ atoms }: WorkGraph, atom: Atom, running: Iterable<AtomName>): boolean {
  for (const name of running) {
    const other = atoms.get(name);
    if (name === atom.name || (other && !mayRunTogether(atom, other))) return false;
  }
  return true;
}

/**
 * The atoms that could begin now, the most urgent first: the one that most others wait for, then in the order of the plan.
 * Two of them may still be in each other's way.
 * @param running those that are worked on, or whose work is not joined yet
 */
export function readyAtoms(graph: WorkGraph, running: ReadonlySet<AtomName> = new Set()): Atom[] {
  const ready = [...graph.atoms.values()].filter((atom) => mayBegin(graph, atom, running));
  if (ready.length < 2) return ready;
  const waiting = new Map(ready.map((atom) => [atom, countDependents(graph, atom.name)]));
  return ready.sort((a, b) => (waiting.get(b) ?? 0) - (waiting.get(a) ?? 0));
}

/** Tells whether an atom's work may be joined with the accepted work: all that it waits for is there, it is wanted. */
export function mayJoin(graph: WorkGraph, atom: Atom): boolean {
  return atom.state === 'done' && atom.needsPerson !== true && isOpen(graph, atom) && isWanted(graph, atom);
}

/** An atom that can never be ready, and what it waits for. */
interface NeverReady {
  readonly atom: AtomName;
  /** Atoms and groups that failed or can never be ready either, and names that do not exist. */
  readonly waitsFor: readonly AtomName[];
}

/** Returns the atoms in the chosen branch that can never be ready, each with what it waits for. */
export function neverReady(graph: WorkGraph): NeverReady[] {
  return [...graph.atoms.values()].flatMap((atom) => {
    if (atom.state === 'failed' || isPossible(graph, atom.name) || isResolved(graph, atom.name)) return [];
    if (partsOf(graph, atom.name).length > 0 || !isWanted(graph, atom)) return [];
    return [
      { atom: atom.name, waitsFor: [...new Set(lineOf(graph, atom).flatMap((each) => blockersOf(graph, each)))] },
    ];
  });
}

/** Returns the atoms that failed for good, without anything in their place, although the goal needs them. */
function failedForGood(graph: WorkGraph): AtomName[] {
  return [...graph.atoms.values()].flatMap((atom) =>
    atom.state === 'failed' && !groupOf(graph, atom) && !canSucceed(graph, atom.name) && isWanted(graph, atom)
      ? atom.name
      : [],
  );
}

function blockersOf(graph: WorkGraph, atom: Atom): AtomName[] {
  const targets = waitsOf(graph, atom.name);
  return dependenciesOf(graph, atom).filter((_, at) => {
    const target = targets[at];
    return target === undefined || !canSucceed(graph, target);
  });
}

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

/** Says why nothing new may begin at all, whatever is ready. @param next the number of the iteration it would be in */
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
