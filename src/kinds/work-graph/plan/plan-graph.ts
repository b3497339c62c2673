import type { Atom, AtomName, OrGroup, WorkGraph } from '../graph/work-graph.ts';
import type { PlanFile, PlannedAtom } from './plan.ts';

/** A plan as a graph: nothing is done yet. A group that only atoms name is one, too. */
export function graphOfPlan({ atoms, groups }: PlanFile): WorkGraph {
  const members = Map.groupBy(
    atoms.filter(({ group }) => group !== undefined),
    ({ group }) => group as string,
  );
  const all = new Map<AtomName, OrGroup>();
  for (const { name, part_of, choices, selected } of groups) {
    const named = choices ?? members.get(name)?.map(({ id }) => id) ?? [];
    all.set(name, { name, parent: part_of, choices: named, selected });
  }
  for (const [name, alternatives] of members) {
    if (all.has(name)) continue;
    const parent = alternatives.find(({ part_of }) => part_of !== undefined)?.part_of;
    all.set(name, { name, parent, choices: alternatives.map(({ id }) => id), selected: undefined });
  }
  return { atoms: new Map(atoms.map((atom) => [atom.id, atomOf(atom, all)])), groups: all };
}

function atomOf(planned: PlannedAtom, groups: ReadonlyMap<AtomName, OrGroup>): Atom {
  const { id, group, part_of, depends_on, if_failed, touches, uses, probe } = planned;
  return {
    name: id,
    state: 'pending',
    group,
    parent: group === undefined ? part_of : groups.get(group)?.parent,
    dependsOn: [...new Set(depends_on)],
    ifFailed: if_failed,
    touches,
    uses,
    needsProbe: probe,
    isProposed: false,
  };
}
