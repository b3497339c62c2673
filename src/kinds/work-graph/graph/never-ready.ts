import { canSucceed, isPossible } from './possible.ts';
import { isResolved } from './resolved.ts';
import { isWanted } from './selection.ts';
import { dependenciesOf, groupOf, lineOf, partsOf, waitsOf } from './structure.ts';
import type { Atom, AtomName, WorkGraph } from './work-graph.ts';

/** An atom that can never be ready, and what it waits for. */
export interface NeverReady {
  readonly atom: AtomName;
  /** Atoms and groups that failed or can never be ready either, and names that do not exist. */
  readonly waitsFor: readonly AtomName[];
}

/** The atoms in the chosen branch that can never be ready, each with what it waits for. */
export function neverReady(graph: WorkGraph): NeverReady[] {
  return [...graph.atoms.values()].flatMap((atom) => {
    if (atom.state === 'failed' || isPossible(graph, atom.name) || isResolved(graph, atom.name)) return [];
    if (partsOf(graph, atom.name).length > 0 || !isWanted(graph, atom)) return [];
    return [
      { atom: atom.name, waitsFor: [...new Set(lineOf(graph, atom).flatMap((each) => blockersOf(graph, each)))] },
    ];
  });
}

/** The atoms that failed for good, without anything in their place, although the goal needs them. */
export function failedForGood(graph: WorkGraph): AtomName[] {
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
