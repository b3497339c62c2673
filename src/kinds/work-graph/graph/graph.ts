// A work graph at a moment: plain data, built from the nodes of a search, or from a plan. All rules about it are pure
// functions in this folder, so that they can be checked on every small graph.

/** The name of an atom, such as `A1`. Atoms and groups share their names. */
export type AtomName = string;

/** One piece of work. */
export interface Atom {
  readonly name: AtomName;
  /**
   * `pending` also while somebody works on it: who does, is an argument where it matters. `done`: work exists that is not
   * joined with the rest and verified yet. `failed`: it was tried and is not tried again, unless a person says so.
   */
  readonly state: 'pending' | 'done' | 'resolved' | 'failed';
  /** The group whose alternative it is. */
  readonly group: AtomName | undefined;
  /** The atom whose part it, or its group, is. */
  readonly parent: AtomName | undefined;
  /** Names of atoms and groups. */
  readonly dependsOn: readonly AtomName[];
  /** The atom whose failure lets this one begin. */
  readonly ifFailed: AtomName | undefined;
  /** Globs; undefined: anything. */
  readonly touches: readonly string[] | undefined;
  readonly uses: readonly string[];
  /** True if somebody has to find out first if it can be done, and nobody has. */
  readonly needsProbe: boolean;
  /** True if it is a proposal that no person has agreed to, so that nothing waits for it. */
  readonly isProposed: boolean;
  /** Of work that is done: whether some of its checks cannot be made here, so that a person has to say whether it is. */
  readonly needsPerson?: boolean;
}

/** Alternatives: one of them has to be resolved. */
export interface OrGroup {
  readonly name: AtomName;
  readonly parent: AtomName | undefined;
  /** In the order in which they are tried. Some may have no atom. */
  readonly choices: readonly AtomName[];
  /** Undefined, or failed: the first that has not failed counts. */
  readonly selected: AtomName | undefined;
}

/** Atoms in the order of the plan. An atom that has parts is resolved when they are; nobody works on it itself. */
export interface WorkGraph {
  readonly atoms: ReadonlyMap<AtomName, Atom>;
  readonly groups: ReadonlyMap<AtomName, OrGroup>;
}

/** The connections of a graph's atoms and groups, whatever their state is; names that do not exist are left out. */
export interface Structure {
  /**
   * The things that an atom needs in order to be resolved instead of being worked on: its parts and the groups in it;
   * of the whole graph, under undefined. Proposals are none, and fallbacks only once they are needed.
   */
  readonly parts: ReadonlyMap<AtomName | undefined, readonly AtomName[]>;
  /** The alternatives of a group for which there is an atom, in the order in which they are tried. */
  readonly alternatives: ReadonlyMap<AtomName, readonly AtomName[]>;
  /** Atoms that are done if this one fails. */
  readonly fallbacks: ReadonlyMap<AtomName, readonly AtomName[]>;
  /** The things for which an atom itself waits, not inherited ones: atoms and groups; undefined if missing. */
  readonly waits: ReadonlyMap<AtomName, readonly (AtomName | undefined)[]>;
}

const NONE: readonly never[] = [];
const known = new WeakMap<WorkGraph, Structure>();

/** Returns the structure of a graph, which is computed once. */
export function structureOf(graph: WorkGraph): Structure {
  const before = known.get(graph);
  if (before) return before;
  const found = {
    parts: partsIn(graph),
    alternatives: alternativesIn(graph),
    fallbacks: fallbacksIn(graph),
    waits: waitsIn(graph),
  };
  known.set(graph, found);
  return found;
}

/** Returns the parts of an atom; none for one that is worked on itself. */
export function partsOf(graph: WorkGraph, name: AtomName | undefined): readonly AtomName[] {
  return structureOf(graph).parts.get(name) ?? NONE;
}

export function alternativesOf(graph: WorkGraph, group: AtomName): readonly AtomName[] {
  return structureOf(graph).alternatives.get(group) ?? NONE;
}

export function fallbacksOf(graph: WorkGraph, name: AtomName): readonly AtomName[] {
  return structureOf(graph).fallbacks.get(name) ?? NONE;
}

export function waitsOf(graph: WorkGraph, name: AtomName): readonly (AtomName | undefined)[] {
  return structureOf(graph).waits.get(name) ?? NONE;
}

/**
 * The atom that an atom is a fallback of. Among the alternatives of one group this only says which is tried first, so that it
 * counts as none.
 */
export function otherOf(graph: WorkGraph, atom: Atom): AtomName | undefined {
  if (atom.ifFailed === undefined) return undefined;
  const group = groupOf(graph, atom);
  const other = graph.atoms.get(atom.ifFailed);
  return group && other && groupOf(graph, other) === group ? undefined : atom.ifFailed;
}

/** Finds the atoms that make a fallback unnecessary once any of them is resolved: the one it replaces, and those before it. */
export function replacedBy(graph: WorkGraph, atom: Atom): AtomName[] {
  const others = new Set<AtomName>();
  let at = otherOf(graph, atom);
  while (at !== undefined && !others.has(at)) {
    const other = graph.atoms.get(at);
    if (!other || other.state === 'failed') break;
    others.add(at);
    at = otherOf(graph, other);
  }
  return [...others];
}

/** Returns the group of an alternative; undefined for any other atom. */
export function groupOf(graph: WorkGraph, { group }: Atom): OrGroup | undefined {
  return group === undefined ? undefined : graph.groups.get(group);
}

/** Returns the atom whose part an atom, or its group, is. */
export function parentOf(graph: WorkGraph, atom: Atom): Atom | undefined {
  const { parent } = groupOf(graph, atom) ?? atom;
  return parent === undefined ? undefined : graph.atoms.get(parent);
}

/** Returns an atom and all that it is a part of, from the inside out. In a circle, each comes once. */
export function lineOf(graph: WorkGraph, atom: Atom): Atom[] {
  const line: Atom[] = [];
  const seen = new Set<Atom>();
  for (let at: Atom | undefined = atom; at && !seen.has(at); at = parentOf(graph, at)) {
    line.push(at);
    seen.add(at);
  }
  return line;
}

function partsIn(graph: WorkGraph): Structure['parts'] {
  const parts = new Map<AtomName | undefined, AtomName[]>();
  for (const atom of graph.atoms.values()) {
    if (atom.isProposed || groupOf(graph, atom) || !isNeeded(graph, atom)) continue;
    append(parts, parentOf(graph, atom)?.name, atom.name);
  }
  for (const { name, parent } of graph.groups.values())
    append(parts, parent !== undefined && graph.atoms.has(parent) ? parent : undefined, name);
  return parts;
}

/** A fallback belongs to what has to be done only once the other has failed. */
function isNeeded(graph: WorkGraph, atom: Atom): boolean {
  const other = otherOf(graph, atom);
  return other === undefined || graph.atoms.get(other)?.state === 'failed';
}

function alternativesIn(graph: WorkGraph): Structure['alternatives'] {
  const members = new Map<AtomName, AtomName[]>();
  for (const atom of graph.atoms.values()) {
    const group = atom.isProposed ? undefined : groupOf(graph, atom);
    if (group) append(members, group.name, atom.name);
  }
  for (const [name, found] of members) {
    const places = new Map(graph.groups.get(name)?.choices.map((choice, place) => [choice, place]));
    const placeOf = (choice: AtomName) => places.get(choice) ?? places.size;
    found.sort((a, b) => placeOf(a) - placeOf(b));
    members.set(name, inTurn(graph, found));
  }
  return members;
}

/** Alternatives with each behind the one whose failure it waits for; those that wait in a circle come last. */
function inTurn({ atoms }: WorkGraph, names: readonly AtomName[]): AtomName[] {
  const members = new Set(names);
  const done = new Set<AtomName>();
  const behind = new Map<AtomName, AtomName[]>();
  for (const name of names) {
    const other = atoms.get(name)?.ifFailed;
    if (other !== undefined && members.has(other) && !done.has(other)) append(behind, other, name);
    else
      for (const left = [name]; left.length > 0; ) {
        const next = left.shift() as AtomName;
        done.add(next);
        left.push(...(behind.get(next) ?? []));
      }
  }
  return [...done, ...names.filter((name) => !done.has(name))];
}

function fallbacksIn(graph: WorkGraph): Structure['fallbacks'] {
  const fallbacks = new Map<AtomName, AtomName[]>();
  for (const atom of graph.atoms.values()) {
    const other = otherOf(graph, atom);
    if (other !== undefined && !atom.isProposed) append(fallbacks, other, atom.name);
  }
  return fallbacks;
}

function waitsIn(graph: WorkGraph): Structure['waits'] {
  const waits = new Map<AtomName, (AtomName | undefined)[]>();
  for (const atom of graph.atoms.values()) {
    const needed = dependenciesOf(graph, atom);
    if (needed.length === 0) continue;
    waits.set(
      atom.name,
      needed.map((name) => targetOf(graph, atom, name)),
    );
  }
  return waits;
}

/** Returns the names that an atom depends on, apart from proposals, and from what it takes the place of. */
export function dependenciesOf({ atoms }: WorkGraph, { dependsOn, ifFailed }: Atom): AtomName[] {
  return dependsOn.filter((name) => name !== ifFailed && atoms.get(name)?.isProposed !== true);
}

/**
 * Returns what a dependency waits for. For everybody outside of it, an alternative or a part of one counts as its
 * group, and a part of a fallback as the fallback: it may never be done, since something else is.
 */
function targetOf(graph: WorkGraph, from: Atom, name: AtomName): AtomName | undefined {
  const atom = graph.atoms.get(name);
  const group = atom ? undefined : graph.groups.get(name);
  const inner = atom ?? (group?.parent === undefined ? undefined : graph.atoms.get(group.parent));
  const inside = new Set(lineOf(graph, from));
  const isOptional = (each: Atom) => groupOf(graph, each) !== undefined || each.ifFailed !== undefined;
  const outermost = inner && lineOf(graph, inner).findLast((each) => isOptional(each) && !inside.has(each));
  if (outermost) return (groupOf(graph, outermost) ?? outermost).name;
  return (atom ?? group)?.name;
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/**
 * Tells what becomes of an atom whose work failed: `failed` if it is one of several alternatives or has a fallback, so
 * that something else can take its place; else it is open again, with what was seen.
 */
export function afterFailure(graph: WorkGraph, name: AtomName): 'failed' | 'pending' {
  const atom = graph.atoms.get(name);
  const isReplaced = fallbacksOf(graph, name).length > 0 || (atom && groupOf(graph, atom) !== undefined);
  return isReplaced ? 'failed' : 'pending';
}
