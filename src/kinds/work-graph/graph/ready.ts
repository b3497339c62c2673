import { countDependents } from './dependents.ts';
import { isOpen } from './resolved.ts';
import { mayRunTogether } from './run-together.ts';
import { isWanted } from './selection.ts';
import { partsOf } from './structure.ts';
import type { Atom, AtomName, WorkGraph } from './work-graph.ts';

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
