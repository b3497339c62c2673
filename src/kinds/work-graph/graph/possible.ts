import { AndOr } from './and-or.ts';
import { alternativesOf, fallbacksOf, parentOf, partsOf, replacedBy, waitsOf } from './structure.ts';
import type { Atom, AtomName, WorkGraph } from './work-graph.ts';

/** The atoms and groups that can still be resolved, as far as the graph says. */
interface Possible {
  /** Atoms by themselves, without their fallbacks, and groups. */
  readonly itself: ReadonlySet<AtomName>;
  /** Atoms and groups, where fallbacks count too, and fallbacks that are not needed. */
  readonly anyhow: ReadonlySet<AtomName>;
}

const known = new WeakMap<WorkGraph, Possible>();

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
  const before = known.get(graph);
  if (before) return before;
  const found = compute(graph);
  known.set(graph, found);
  return found;
}

function compute(graph: WorkGraph): Possible {
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

/** The parts of an atom that has not failed as a whole; undefined if it has none, or has failed. */
function needsOf(graph: WorkGraph, { name, state }: Atom): readonly AtomName[] | undefined {
  const parts = partsOf(graph, name);
  return state === 'failed' || parts.length === 0 ? undefined : parts;
}

function needs({ state }: Atom, begins: number, never: number): number[] {
  if (state === 'resolved') return [];
  return [state === 'failed' ? never : begins];
}
