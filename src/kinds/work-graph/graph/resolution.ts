import {
  type Atom,
  type AtomName,
  alternativesOf,
  fallbacksOf,
  groupOf,
  lineOf,
  type OrGroup,
  otherOf,
  parentOf,
  partsOf,
  replacedBy,
  type WorkGraph,
  waitsOf,
} from './graph.ts';

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

/** The atoms and groups that can still be resolved, as far as the graph says. */
interface Possible {
  /** Atoms by themselves, without their fallbacks, and groups. */
  readonly itself: ReadonlySet<AtomName>;
  /** Atoms and groups, where fallbacks count too, and fallbacks that are not needed. */
  readonly anyhow: ReadonlySet<AtomName>;
}

const knownPossible = new WeakMap<WorkGraph, Possible>();

/**
 * Tells whether an atom can still be resolved by itself, or a group by one of its alternatives: it has not failed, nor
 * has anything that it waits for, nor does it wait for itself or for what does not exist.
 */
export function isPossible(graph: WorkGraph, name: AtomName): boolean {
  return possibleIn(graph).itself.has(name);
}

/** Tells whether what waits for an atom or a group can still begin: also because of a fallback. */
export function canSucceed(graph: WorkGraph, name: AtomName): boolean {
  return possibleIn(graph).anyhow.has(name);
}

function possibleIn(graph: WorkGraph): Possible {
  const before = knownPossible.get(graph);
  if (before) return before;
  const found = computePossible(graph);
  knownPossible.set(graph, found);
  return found;
}

function computePossible(graph: WorkGraph): Possible {
  const rules = new AndOr();
  const gates = () => new Map([...graph.atoms.keys()].map((name) => [name, rules.add()]));
  const itself = gates();
  const anyhow = gates();
  const begins = gates();
  const groups = new Map([...graph.groups.keys()].map((name) => [name, rules.add()]));
  const never = rules.add();
  const gateOf = (name: AtomName | undefined) =>
    (name === undefined ? undefined : (anyhow.get(name) ?? groups.get(name))) ?? never;
  const by = (map: ReadonlyMap<AtomName, number>, name: AtomName) => map.get(name) ?? never;
  for (const atom of graph.atoms.values()) {
    const { name } = atom;
    const parent = parentOf(graph, atom);
    const inherited = parent ? [by(begins, parent.name)] : [];
    rules.all(by(begins, name), [...waitsOf(graph, name).map(gateOf), ...inherited]);
    rules.all(by(itself, name), needsOf(graph, atom)?.map(gateOf) ?? needs(atom, by(begins, name), never));
    const fallbacks = fallbacksOf(graph, name).map(gateOf);
    const instead = rules.add();
    if (fallbacks.length > 0) rules.all(instead, fallbacks);
    const replaced = replacedBy(graph, atom).map((each) => by(itself, each));
    rules.any(by(anyhow, name), [by(itself, name), instead, ...replaced]);
  }
  for (const [name, gate] of groups)
    rules.any(
      gate,
      alternativesOf(graph, name).map((each) => by(itself, each)),
    );
  const isTrue = rules.settle();
  const trueIn = (...maps: ReadonlyMap<AtomName, number>[]) =>
    new Set(maps.flatMap((map) => [...map].flatMap(([name, gate]) => (isTrue(gate) ? name : []))));
  return { itself: trueIn(itself, groups), anyhow: trueIn(anyhow, groups) };
}

/** Returns the parts of an atom that has not failed as a whole; undefined if it has none, or has failed. */
function needsOf(graph: WorkGraph, { name, state }: Atom): readonly AtomName[] | undefined {
  const parts = partsOf(graph, name);
  return state === 'failed' || parts.length === 0 ? undefined : parts;
}

function needs({ state }: Atom, begins: number, never: number): number[] {
  if (state === 'resolved') return [];
  return [state === 'failed' ? never : begins];
}

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

/** Returns the alternative that counts according to what is recorded, whatever became of it. */
export function chosenBefore(graph: WorkGraph, { name, selected }: OrGroup): AtomName | undefined {
  const all = alternativesOf(graph, name);
  return all.find((each) => each === selected) ?? all[0];
}

/** Returns the alternative that comes next if the one that counts now is given up; undefined if none is left. */
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

/** Returns the groups around an atom whose alternative it is, or is a part of, from the inside out. */
export function groupsAround(graph: WorkGraph, atom: Atom): OrGroup[] {
  return lineOf(graph, atom).flatMap((each) => groupOf(graph, each) ?? []);
}

/** A fallback is needed only once the other cannot succeed. */
function isNeeded(graph: WorkGraph, atom: Atom): boolean {
  const other = otherOf(graph, atom);
  return other === undefined || (graph.atoms.has(other) && !isPossible(graph, other));
}

interface Gate {
  readonly users: number[];
  missing: number;
  isTrue: boolean;
}

/**
 * Statements that follow from each other: each is true once all, or any, of those that it rests on are. What rests only on
 * itself is not true. Takes time in proportion to the number of statements and of what they rest on.
 */
class AndOr {
  readonly #gates: Gate[] = [];
  readonly #new: number[] = [];

  /** Returns a new statement, not true yet. */
  add(): number {
    return this.#gates.push({ users: [], missing: 1, isTrue: false }) - 1;
  }

  /** True once all of these are; at once, if there are none. */
  all(gate: number, inputs: readonly number[]): void {
    this.#connect(gate, inputs, inputs.length);
  }

  /** True once any of these is; never, if there are none. */
  any(gate: number, inputs: readonly number[]): void {
    this.#connect(gate, inputs, 1);
  }

  /** Returns which statements are true. */
  settle(): (gate: number) => boolean {
    for (let at = this.#new.pop(); at !== undefined; at = this.#new.pop())
      for (const user of this.#gates[at]?.users ?? []) this.#count(user);
    return (gate) => this.#gates[gate]?.isTrue === true;
  }

  #connect(gate: number, inputs: readonly number[], missing: number): void {
    const found = this.#gates[gate] as Gate;
    found.missing = missing;
    if (missing === 0) this.#hold(gate, found);
    for (const input of inputs) this.#gates[input]?.users.push(gate);
  }

  #count(gate: number): void {
    const found = this.#gates[gate] as Gate;
    found.missing--;
    if (found.missing === 0) this.#hold(gate, found);
  }

  #hold(gate: number, found: Gate): void {
    found.isTrue = true;
    this.#new.push(gate);
  }
}
