import type { AtomName, WorkGraph } from '../../../../../src/kinds/work-graph/graph/graph.ts';
import { cyclesIn, misplacedFallbacks } from '../../../../../src/kinds/work-graph/graph/order.ts';
import { graphOf } from './play.ts';

/** One way to put atoms together: by place, the group, the parent, what it depends on (as bits), and what it replaces. */
interface Shape {
  readonly groups: readonly number[];
  /** Of atoms; of an alternative, that of its group. -1: none. */
  readonly parents: readonly number[];
  readonly waits: readonly number[];
  readonly ifFailed: readonly number[];
}

/**
 * Every graph of up to so many atoms and groups without circles, each once up to the names of its atoms: atoms are alone or
 * alternatives, may be parts of others, depend on any others, and at most one replaces another.
 */
export function* smallGraphs(atoms: number, groups: number): Generator<WorkGraph> {
  for (let count = 1; count <= atoms; count++) {
    const seen = new Set<number>();
    for (const shape of shapes(count, groups)) {
      const key = keyOf(shape);
      if (seen.has(key)) continue;
      seen.add(key);
      const graph = graphFrom(shape);
      if (cyclesIn(graph).length === 0 && misplacedFallbacks(graph).length === 0) yield graph;
    }
  }
}

function* shapes(count: number, groups: number): Generator<Shape> {
  for (const membership of memberships(count, groups))
    for (const parents of parentsFor(count, membership)) {
      if (isCircular(parents)) continue;
      for (const ifFailed of replacements(membership, parents))
        for (const waits of waitsFor(count)) yield { groups: membership, parents, waits, ifFailed };
    }
}

function isCircular(parents: readonly number[]): boolean {
  return parents.some((_, from) => {
    let at = from;
    for (let i = 0; i <= parents.length && at >= 0; i++) at = parents[at] as number;
    return at >= 0;
  });
}

/** Group 0 is none; the others are numbered by their first member. */
function* memberships(count: number, groups: number, before: readonly number[] = []): Generator<number[]> {
  if (before.length === count) {
    yield [...before];
    return;
  }
  const most = Math.min(groups, Math.max(0, ...before) + 1);
  for (let group = 0; group <= most; group++) yield* memberships(count, groups, [...before, group]);
}

function* parentsFor(count: number, groups: readonly number[], before: readonly number[] = []): Generator<number[]> {
  const at = before.length;
  if (at === count) {
    yield [...before];
    return;
  }
  const sameAs = groups[at] === 0 ? -1 : groups.indexOf(groups[at] as number);
  if (sameAs >= 0 && sameAs < at) yield* parentsFor(count, groups, [...before, before[sameAs] as number]);
  else
    for (let parent = -1; parent < count; parent++)
      if (parent !== at) yield* parentsFor(count, groups, [...before, parent]);
}

/** Dependencies lead from later to earlier atoms: every graph without circles can be written in such an order. */
function* waitsFor(count: number, before: readonly number[] = []): Generator<number[]> {
  if (before.length === count) {
    yield [...before];
    return;
  }
  for (let bits = 0; bits < 1 << before.length; bits++) yield* waitsFor(count, [...before, bits]);
}

/** At most one atom replaces another, which is in the same place: in one group with it, or neither is in any. */
function* replacements(groups: readonly number[], parents: readonly number[]): Generator<number[]> {
  const none = groups.map(() => -1);
  yield none;
  for (const at of groups.keys())
    for (const other of groups.keys())
      if (at !== other && groups[at] === groups[other] && parents[at] === parents[other]) yield none.with(at, other);
}

/** The same for graphs that differ in the names and the order of their atoms only. */
function keyOf({ groups, parents, waits, ifFailed }: Shape): number {
  let least = Number.POSITIVE_INFINITY;
  for (const { order, places } of orders(groups.length)) {
    const numbers = [0, -1, -1];
    let used = 0;
    let key = 0;
    let rest = 4096 ** order.length;
    for (const old of order) {
      const group = groups[old] as number;
      if ((numbers[group] as number) < 0) numbers[group] = ++used;
      let bits = 0;
      for (let from = 0; from < order.length; from++)
        if (((waits[old] as number) >> from) & 1) bits |= 1 << (places[from] as number);
      const parent = places[parents[old] as number] ?? 7;
      key =
        key * 4096 +
        (((numbers[group] as number) << 10) | (bits << 6) | (parent << 3) | (places[ifFailed[old] as number] ?? 7));
      // What comes first counts most: an order that is behind by here stays so.
      rest /= 4096;
      if (key * rest > least) break;
    }
    key *= rest;
    if (key < least) least = key;
  }
  return least;
}

interface Permutation {
  /** By new place, the old one. */
  readonly order: readonly number[];
  /** By old place, the new one. */
  readonly places: readonly number[];
}

const known = new Map<number, Permutation[]>();

function orders(count: number): Permutation[] {
  const before = known.get(count);
  if (before) return before;
  const all = permutations(count).map((order) => ({ order, places: order.map((_, place) => order.indexOf(place)) }));
  known.set(count, all);
  return all;
}

function permutations(count: number): number[][] {
  if (count === 0) return [[]];
  return permutations(count - 1).flatMap((each) =>
    Array.from({ length: count }, (_, at) => each.toSpliced(at, 0, count - 1)),
  );
}

function graphFrom({ groups, parents, waits, ifFailed }: Shape): WorkGraph {
  const nameOf = (place: number | undefined): AtomName | undefined =>
    place === undefined || place < 0 ? undefined : `A${place}`;
  return graphOf(
    groups.map((group, at) => ({
      name: nameOf(at) as AtomName,
      group: group === 0 ? undefined : `g${group}`,
      parent: nameOf(parents[at]),
      dependsOn: groups.flatMap((_, other) =>
        ((waits[at] as number) >> other) & 1 ? (nameOf(other) as AtomName) : [],
      ),
      ifFailed: nameOf(ifFailed[at]),
    })),
  );
}
