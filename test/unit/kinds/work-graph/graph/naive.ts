import type { Atom, AtomName, OrGroup, WorkGraph } from '../../../../../src/kinds/work-graph/graph/graph.ts';

// The same rules once more, written without regard to time, to compare with.

/** The atom that one is a fallback of; not within a group, where it only says which alternative is tried first. */
function replacesNaively(atoms: ReadonlyMap<AtomName, Atom>, atom: Atom | undefined): Atom | undefined {
  const other = atoms.get(atom?.ifFailed ?? '');
  return other && atom?.group !== undefined && other.group === atom.group ? undefined : other;
}

/** The alternative of a group that comes first: none that waits for the failure of another. */
export function firstNaively({ atoms }: WorkGraph, { name, choices }: OrGroup): AtomName | undefined {
  const isBehind = (choice: AtomName) => atoms.get(atoms.get(choice)?.ifFailed ?? '')?.group === name;
  return choices.find((choice) => !isBehind(choice)) ?? choices[0];
}

/** The parts of an atom, or the top level: atoms outside of groups, fallbacks only of what failed; and groups. */
function partsNaively({ atoms, groups }: WorkGraph, parent: AtomName | undefined): AtomName[] {
  const single = [...atoms.values()].filter((each) => {
    const isNeeded = !replacesNaively(atoms, each) || replacesNaively(atoms, each)?.state === 'failed';
    return each.parent === parent && each.group === undefined && isNeeded && !each.isProposed;
  });
  return [...single, ...[...groups.values()].filter((each) => each.parent === parent)].map(({ name }) => name);
}

/** Whether an atom is resolved, or any alternative of a group. */
function isResolvedNaively(graph: WorkGraph, name: AtomName): boolean {
  const atom = graph.atoms.get(name);
  if (!atom)
    return [...graph.atoms.values()].some((each) => each.group === name && isResolvedNaively(graph, each.name));
  const parts = partsNaively(graph, name);
  return parts.length > 0 ? parts.every((each) => isOverNaively(graph, each)) : atom.state === 'resolved';
}

/** Whether nobody has to wait for it: also because its fallbacks took its place. */
function isOverNaively(graph: WorkGraph, name: AtomName): boolean {
  if (isResolvedNaively(graph, name)) return true;
  if (isUnneededNaively(graph, name)) return true;
  const instead = [...graph.atoms.values()].filter((each) => replacesNaively(graph.atoms, each)?.name === name);
  return graph.atoms.has(name) && instead.length > 0 && instead.every((each) => isOverNaively(graph, each.name));
}

/** A fallback is not needed if the other is resolved, or not needed itself. */
function isUnneededNaively(graph: WorkGraph, name: AtomName): boolean {
  const other = replacesNaively(graph.atoms, graph.atoms.get(name));
  if (!other || other.state === 'failed') return false;
  return isResolvedNaively(graph, other.name) || isUnneededNaively(graph, other.name);
}

/** Everything that the goal needs is there. */
export function isAllResolvedNaively(graph: WorkGraph): boolean {
  return partsNaively(graph, undefined).every((each) => isOverNaively(graph, each));
}

/** An atom and all that it is a part of. */
export function lineNaively({ atoms }: WorkGraph, atom: Atom): Atom[] {
  const above = atom.parent === undefined ? undefined : atoms.get(atom.parent);
  return above ? [atom, ...lineNaively({ atoms, groups: new Map() }, above)] : [atom];
}

/** What an atom still waits for: its own dependencies, and those of all that it is a part of. */
export function waitsNaively(graph: WorkGraph, atom: Atom): AtomName[] {
  return lineNaively(graph, atom).flatMap((each) =>
    each.dependsOn.filter((name) => name !== each.ifFailed && !isThere(graph, each, name)),
  );
}

/** A dependency is there if what it names is, or the group around that. */
function isThere(graph: WorkGraph, from: Atom, name: AtomName): boolean {
  const target = graph.atoms.get(name) ?? graph.atoms.get(graph.groups.get(name)?.parent ?? '');
  if (!target) return isOverNaively(graph, name);
  const inside = new Set(lineNaively(graph, from).map((each) => each.name));
  const isOptional = ({ group, ifFailed }: Atom) => group !== undefined || ifFailed !== undefined;
  const around = lineNaively(graph, target).findLast((each) => isOptional(each) && !inside.has(each.name));
  return isOverNaively(graph, around?.group ?? around?.name ?? name);
}

/**
 * Whether the goal can be reached by some choice of alternatives, if these atoms fail whenever they are worked on: every
 * choice is tried, each by doing whatever can be done until nothing changes.
 */
export function canBeReached(start: WorkGraph, fails: (atom: AtomName) => boolean): boolean {
  return choicesOf(start).some((choice) => isReachedBy(start, choice, fails));
}

function choicesOf({ atoms, groups }: WorkGraph): Map<AtomName, AtomName>[] {
  let all = [new Map<AtomName, AtomName>()];
  for (const { name } of groups.values()) {
    const members = [...atoms.values()].filter((each) => each.group === name);
    all = all.flatMap((each) => members.map((member) => new Map([...each, [name, member.name]])));
  }
  return all;
}

function isReachedBy(
  start: WorkGraph,
  choice: ReadonlyMap<AtomName, AtomName>,
  fails: (atom: AtomName) => boolean,
): boolean {
  const atoms = new Map(start.atoms);
  const graph = { atoms, groups: start.groups };
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const atom of atoms.values()) {
      const { name, state, isProposed } = atom;
      if (state !== 'pending' || isProposed || hasParts(start, name)) continue;
      const line = lineNaively(graph, atom);
      if (line.some((each) => each.group !== undefined && choice.get(each.group) !== each.name)) continue;
      if (line.some((each) => (replacesNaively(atoms, each)?.state ?? 'failed') !== 'failed')) continue;
      if (waitsNaively(graph, atom).length > 0) continue;
      atoms.set(name, { ...atom, state: fails(name) ? 'failed' : 'resolved' });
      isChanged = true;
    }
  }
  return isAllResolvedNaively(graph);
}

function hasParts({ atoms, groups }: WorkGraph, name: AtomName): boolean {
  const isPart = (each: { parent: AtomName | undefined }) => each.parent === name;
  return (
    [...atoms.values()].some((each) => isPart(each) && each.group === undefined && each.ifFailed === undefined) ||
    [...groups.values()].some(isPart)
  );
}
