import { groupOf, otherOf, parentOf } from './structure.ts';
import type { AtomName, WorkGraph } from './work-graph.ts';

/**
 * The fallbacks that are not in the place of what they replace: both have to be parts of the same atom, or of none, or it
 * would not be clear who waits for which. Nor may either be an alternative, unless both are in one group.
 */
export function misplacedFallbacks(graph: WorkGraph): AtomName[] {
  return [...graph.atoms.values()].flatMap((atom) => {
    const name = otherOf(graph, atom);
    const other = name === undefined ? undefined : graph.atoms.get(name);
    if (!other) return [];
    const isAlternative = groupOf(graph, atom) !== undefined || groupOf(graph, other) !== undefined;
    return isAlternative || parentOf(graph, atom) !== parentOf(graph, other) ? atom.name : [];
  });
}
