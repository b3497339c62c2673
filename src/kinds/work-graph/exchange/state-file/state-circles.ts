import { cyclesIn } from '../../graph/cycles.ts';
import type { Atom, OrGroup, WorkGraph } from '../../graph/work-graph.ts';
import * as say from '../messages.ts';
import type { Part } from './part.ts';
import type { State } from './state.ts';

const MOST_SHOWN = 8;

/** The atoms and groups of a state file as a graph. */
function graphOfState({ atoms, groups }: Pick<State, 'atoms' | 'groups'>): WorkGraph {
  const above = parentsOfGroups(atoms);
  const all = groups.map(({ name, choices, selected }): [string, OrGroup] => [
    name,
    { name, parent: above.get(name), choices, selected },
  ]);
  const pieces = atoms.map(({ id, isResolved, dependsOn, group, parent }): [string, Atom] => [
    id,
    {
      name: id,
      state: isResolved ? 'resolved' : 'pending',
      group,
      parent: group === undefined ? parent : above.get(group),
      dependsOn,
      ifFailed: undefined,
      touches: undefined,
      uses: [],
      needsProbe: false,
      isProposed: false,
    },
  ]);
  return { atoms: new Map(pieces), groups: new Map(all) };
}

/** Returns what groups are part of: as the first of their alternatives that says so. */
export function parentsOfGroups(atoms: State['atoms']): Map<string, string> {
  const parents = new Map<string, string>();
  for (const { group, parent } of atoms)
    if (group !== undefined && parent !== undefined && !parents.has(group)) parents.set(group, parent);
  return parents;
}

/** @throws ThoughtTreeError `damaged` naming an atom that waits for itself */
export function checkCircles(state: State, atoms: Part): void {
  const [circle] = cyclesIn(graphOfState(state));
  if (!circle) return;
  const names = circle.length > MOST_SHOWN ? [...circle.slice(0, MOST_SHOWN), '…'] : [...circle, circle[0]];
  const place = state.atoms.findIndex(({ id }) => circle.includes(id));
  const item = atoms.items()[place];
  const at = item?.get('depends_on') ?? item?.get('decomposed_from') ?? item ?? atoms;
  throw at.wrong(say.inCircle({ names: names.join(' → ') }));
}
