import { type Loop, loopOf } from '../../graph/loop.ts';
import { chosenBefore } from '../../graph/selection.ts';
import { groupOf, lineOf } from '../../graph/structure.ts';
import type { Atom, AtomName, WorkGraph } from '../../graph/work-graph.ts';
import { type GraphInTree, triesOf } from '../tree/read-graph.ts';

/**
 * Where the loop is, according to the tries in the nodes.
 * @param tried the atoms that are worked on here, with the iteration
 * @param holding these, those that somebody outside has taken, and those whose work is about to be joined
 * @param since the last iteration that counts for no limit
 */
export function loopIn(
  { graph, atoms }: GraphInTree,
  tried: ReadonlyMap<AtomName, number>,
  holding: ReadonlySet<AtomName>,
  since?: number,
): Loop {
  const all = [...atoms].map(([atom, each]) => {
    const tries = triesOf(each);
    const open = holding.has(atom) ? tries.findLast(({ ended }) => ended === undefined)?.iteration : undefined;
    const found = graph.atoms.get(atom);
    const isSwitched = tries.length > 0 && found !== undefined && isGivenUp(graph, found);
    return { atom, tries, underWay: tried.get(atom) ?? open, isSwitched };
  });
  return loopOf(all, since);
}

/** Tells whether an atom is, or is a part of, an alternative that failed and that its group went on from. */
function isGivenUp(graph: WorkGraph, atom: Atom): boolean {
  return lineOf(graph, atom).some((each) => {
    const group = each.state === 'failed' ? groupOf(graph, each) : undefined;
    return group !== undefined && chosenBefore(graph, group) !== each.name;
  });
}
