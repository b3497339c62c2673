import { isPossible } from './possible.ts';
import { alternativesOf, fallbacksOf, parentOf, partsOf, replacedBy, waitsOf } from './structure.ts';
import type { Atom, AtomName, WorkGraph } from './work-graph.ts';

const resolved = new WeakMap<WorkGraph, Map<AtomName, boolean>>();
const satisfied = new WeakMap<WorkGraph, Map<AtomName, boolean>>();
const open = new WeakMap<WorkGraph, Map<AtomName, boolean>>();

/** Tells whether an atom is resolved: one with parts, if all of them are; a group, if any of its alternatives is. */
export function isResolved(graph: WorkGraph, name: AtomName): boolean {
  return remembered(resolved, graph, name, () => {
    const atom = graph.atoms.get(name);
    if (!atom) return alternativesOf(graph, name).some((each) => isResolved(graph, each));
    const parts = partsOf(graph, name);
    return parts.length === 0 ? atom.state === 'resolved' : parts.every((each) => isSatisfied(graph, each));
  });
}

/**
 * Tells whether nobody has to wait for an atom or a group any more: it is resolved; or it failed, and its fallbacks
 * took its place; or it is a fallback that is not needed.
 */
export function isSatisfied(graph: WorkGraph, name: AtomName): boolean {
  return remembered(satisfied, graph, name, () => {
    if (isResolved(graph, name)) return true;
    const atom = graph.atoms.get(name);
    if (!atom) return false;
    if (replacedBy(graph, atom).some((each) => isResolved(graph, each))) return true;
    const fallbacks = isPossible(graph, name) ? [] : fallbacksOf(graph, name);
    return fallbacks.length > 0 && fallbacks.every((each) => isSatisfied(graph, each));
  });
}

/** Tells whether everything that an atom waits for is there, also what the atoms that it is a part of wait for. */
export function isOpen(graph: WorkGraph, atom: Atom): boolean {
  return remembered(open, graph, atom.name, () => {
    const parent = parentOf(graph, atom);
    if (parent && !isOpen(graph, parent)) return false;
    return waitsOf(graph, atom.name).every((each) => each !== undefined && isSatisfied(graph, each));
  });
}

/** Tells whether everything that the goal needs is there. */
export function isAllResolved(graph: WorkGraph): boolean {
  return partsOf(graph, undefined).every((each) => isSatisfied(graph, each));
}

/** A value that is computed once for each name; false while it is being computed, so that circles end. */
function remembered(
  known: WeakMap<WorkGraph, Map<AtomName, boolean>>,
  graph: WorkGraph,
  name: AtomName,
  compute: () => boolean,
): boolean {
  const values = known.get(graph) ?? new Map<AtomName, boolean>();
  known.set(graph, values);
  const before = values.get(name);
  if (before !== undefined) return before;
  values.set(name, false);
  const value = compute();
  values.set(name, value);
  return value;
}
