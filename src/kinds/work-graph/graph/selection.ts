import { isPossible } from './possible.ts';
import { isResolved } from './resolved.ts';
import { alternativesOf, groupOf, lineOf, otherOf } from './structure.ts';
import type { Atom, AtomName, OrGroup, WorkGraph } from './work-graph.ts';

/**
 * The alternative that counts: one that is resolved; else the selected one, unless it has no atom or cannot succeed any more;
 * else the first that can. If none can, the first that has not failed itself, so that what it waits for can be said.
 */
export function choiceOf(graph: WorkGraph, group: OrGroup): AtomName | undefined {
  const all = alternativesOf(graph, group.name);
  const first = (isRight: (name: AtomName) => boolean) => {
    const right = all.filter(isRight);
    return right.find((name) => name === group.selected) ?? right[0];
  };
  return (
    first((name) => isResolved(graph, name)) ??
    first((name) => isPossible(graph, name)) ??
    first((name) => graph.atoms.get(name)?.state !== 'failed')
  );
}

/** Tells whether no alternative of a group can succeed any more: a person has to add one. */
export function isExhausted(graph: WorkGraph, { name }: OrGroup): boolean {
  return !isResolved(graph, name) && !isPossible(graph, name);
}

/**
 * The alternative that a group has to switch to before anything of it begins, since the one that was chosen cannot succeed;
 * undefined if there is nothing to switch, or none is left.
 */
export function switchOf(graph: WorkGraph, group: OrGroup): AtomName | undefined {
  if (isResolved(graph, group.name) || isExhausted(graph, group)) return undefined;
  const choice = choiceOf(graph, group);
  return choice === chosenBefore(graph, group) ? undefined : choice;
}

/** The alternative that counts according to what is recorded, whatever became of it. */
export function chosenBefore(graph: WorkGraph, { name, selected }: OrGroup): AtomName | undefined {
  const all = alternativesOf(graph, name);
  return all.find((each) => each === selected) ?? all[0];
}

/** The alternative that comes next if the one that counts now is given up; undefined if none is left. */
export function nextAlternative(graph: WorkGraph, group: OrGroup): AtomName | undefined {
  const choice = choiceOf(graph, group);
  return alternativesOf(graph, group.name).find((name) => name !== choice && isPossible(graph, name));
}

/**
 * Tells whether an atom is in the chosen branch: the choice of its group, a fallback only of what cannot succeed, and
 * likewise all that it is a part of. Nothing is while its group has to switch first.
 */
export function isWanted(graph: WorkGraph, atom: Atom): boolean {
  return lineOf(graph, atom).every((each) => {
    if (each.isProposed || !isNeeded(graph, each)) return false;
    if (each !== atom && each.state === 'failed') return false;
    const group = groupOf(graph, each);
    return !group || (choiceOf(graph, group) === each.name && switchOf(graph, group) === undefined);
  });
}

/** Tells whether a group has to be resolved in the chosen branch. */
export function isGroupWanted(graph: WorkGraph, { parent }: OrGroup): boolean {
  const above = parent === undefined ? undefined : graph.atoms.get(parent);
  return !above || (above.state !== 'failed' && isWanted(graph, above));
}

/** The groups around an atom whose alternative it is, or is a part of, from the inside out. */
export function groupsAround(graph: WorkGraph, atom: Atom): OrGroup[] {
  return lineOf(graph, atom).flatMap((each) => groupOf(graph, each) ?? []);
}

/** A fallback is needed only once the other cannot succeed. */
function isNeeded(graph: WorkGraph, atom: Atom): boolean {
  const other = otherOf(graph, atom);
  return other === undefined || (graph.atoms.has(other) && !isPossible(graph, other));
}
