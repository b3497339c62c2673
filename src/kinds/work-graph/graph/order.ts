import { type AtomName, groupOf, otherOf, parentOf, structureOf, type WorkGraph } from './graph.ts';

/**
 * The order in which things happen. An atom or a group has three moments: it may begin, it ends, and nobody has to wait
 * for it any more, since it or its fallback has ended.
 */
interface Order {
  /** Atoms first, each in the order of the plan. */
  readonly names: readonly AtomName[];
  readonly places: ReadonlyMap<AtomName, number>;
  /** By moment, the moments that come after it. */
  readonly after: readonly (readonly number[])[];
}

const known = new WeakMap<WorkGraph, Order>();

const beginOf = (place: number) => 3 * place;
const endOf = (place: number) => 3 * place + 1;
const overOf = (place: number) => 3 * place + 2;
/** Returns the atom or group whose moment it is. */
const placeOf = (moment: number) => Math.floor(moment / 3);

/** Returns the order of a graph, which is computed once. */
function orderOf(graph: WorkGraph): Order {
  const before = known.get(graph);
  if (before) return before;
  const found = compute(graph);
  known.set(graph, found);
  return found;
}

function compute(graph: WorkGraph): Order {
  const { waits, alternatives, fallbacks } = structureOf(graph);
  const names = [...graph.atoms.keys(), ...graph.groups.keys()];
  const places = new Map(names.map((name, place) => [name, place]));
  const after: number[][] = names.flatMap((_, place) => [[endOf(place)], [overOf(place)], []]);
  const connect = (from: AtomName | undefined, to: AtomName | undefined, moments: readonly [Moment, Moment]) => {
    const a = from === undefined ? undefined : places.get(from);
    const b = to === undefined ? undefined : places.get(to);
    if (a !== undefined && b !== undefined) after[moments[0](a)]?.push(moments[1](b));
  };
  for (const [name, targets] of waits) for (const target of targets) connect(target, name, [overOf, beginOf]);
  for (const atom of graph.atoms.values()) {
    const parent = parentOf(graph, atom)?.name;
    connect(parent, atom.name, [beginOf, beginOf]);
    if (!atom.isProposed && !groupOf(graph, atom)) connect(atom.name, parent, [overOf, endOf]);
  }
  for (const { name, parent } of graph.groups.values()) connect(name, parent, [overOf, endOf]);
  for (const [group, inner] of alternatives) for (const each of inner) connect(each, group, [endOf, endOf]);
  for (const [name, inner] of fallbacks)
    for (const each of inner) {
      connect(name, each, [endOf, beginOf]);
      connect(each, name, [overOf, overOf]);
    }
  return { names, places, after };
}

type Moment = (place: number) => number;

/** The most circles that are named: one is usually enough to see what is wrong. */
const MOST_CYCLES = 10;

/**
 * The atoms and groups that wait for themselves, also through groups, parts and fallbacks: each circle as the names in it, of
 * which each waits for the next, and the last for the first. At most ten.
 */
export function cyclesIn(graph: WorkGraph): AtomName[][] {
  const order = orderOf(graph);
  const found: AtomName[][] = [];
  const state = new Uint8Array(order.after.length);
  for (let moment = 0; moment < order.after.length && found.length < MOST_CYCLES; moment++)
    if (state[moment] === 0) search(order, moment, state, found);
  return found;
}

/** Where a moment is: not seen yet, on the way that is followed, or done with. */
const ON_WAY = 1;
const DONE = 2;

function search({ names, after }: Order, from: number, state: Uint8Array, found: AtomName[][]): void {
  const way: { moment: number; next: number }[] = [{ moment: from, next: 0 }];
  state[from] = ON_WAY;
  for (let at = way.at(-1); at; at = way.at(-1)) {
    const next = after[at.moment]?.[at.next++];
    if (next === undefined) {
      state[at.moment] = DONE;
      way.pop();
    } else if (state[next] === 0) {
      state[next] = ON_WAY;
      way.push({ moment: next, next: 0 });
    } else if (state[next] === ON_WAY && found.length < MOST_CYCLES) {
      const start = way.findIndex(({ moment }) => moment === next);
      found.push(
        circleOf(
          way.slice(start).map(({ moment }) => placeOf(moment)),
          names,
        ),
      );
    }
  }
}

/** @param places what comes before what; atoms first, in the order of the plan */
function circleOf(places: readonly number[], names: readonly AtomName[]): AtomName[] {
  const waiting = [...new Set(places)].reverse();
  const first = waiting.indexOf(waiting.reduce((a, b) => Math.min(a, b)));
  return [...waiting.slice(first), ...waiting.slice(0, first)].flatMap((place) => names[place] ?? []);
}

/**
 * Returns the atoms and groups that come after any of these, directly or not, with these themselves, in the order of
 * the plan.
 */
export function dependentsOf(graph: WorkGraph, names: Iterable<AtomName>): AtomName[] {
  const order = orderOf(graph);
  const reached = reach(
    order,
    [...names].flatMap((name) => order.places.get(name) ?? []),
  );
  return order.names.filter((_, place) => reached[place] === 1);
}

/** Counts the atoms and groups that wait for an atom, directly or not. */
export function countDependents(graph: WorkGraph, name: AtomName): number {
  const order = orderOf(graph);
  const place = order.places.get(name);
  return place === undefined ? 0 : reach(order, [place]).reduce((sum, each) => sum + each, -1);
}

/** By place, 1 for what is reached from the beginnings of these. */
function reach({ names, after }: Order, places: readonly number[]): Uint8Array {
  const reached = new Uint8Array(names.length);
  const seen = new Uint8Array(after.length);
  const left = places.map(beginOf);
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    reached[placeOf(at)] = 1;
    for (const next of after[at] ?? []) {
      if (seen[next] === 1) continue;
      seen[next] = 1;
      left.push(next);
    }
  }
  return reached;
}

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
