import { groupOf, parentOf } from './structure.ts';
import type { AtomName, WorkGraph } from './work-graph.ts';

/**
 * The fallbacks that are not in the place of what they replace: both have to be parts of the same atom, or of none, or it
 * would not be clear who waits for which. Neither may be an alternative: what replaces one of these is one, too.
 */
export function misplacedFallbacks(graph: WorkGraph): AtomName[] {
  return [...graph.atoms.values()].flatMap((atom) => {
    const other = atom.ifFailed === undefined ? undefined : graph.atoms.get(atom.ifFailed);
    const isInPlace =
      !other || (!groupOf(graph, atom) && !groupOf(graph, other) && parentOf(graph, atom) === parentOf(graph, other));
    return isInPlace ? [] : atom.name;
  });
}
