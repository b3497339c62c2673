import { groupOf, parentOf, structureOf } from './structure.ts';
import type { AtomName, WorkGraph } from './work-graph.ts';

/**
 * The order in which things happen. An atom or a group has three moments: it may begin, it ends, and nobody has to wait
 * for it any more, since it or its fallback has ended.
 */
export interface Order {
  /** Atoms first, each in the order of the plan. */
  readonly names: readonly AtomName[];
  readonly places: ReadonlyMap<AtomName, number>;
  /** By moment, the moments that come after it. */
  readonly after: readonly (readonly number[])[];
}

const known = new WeakMap<WorkGraph, Order>();

export const beginOf = (place: number) => 3 * place;
const endOf = (place: number) => 3 * place + 1;
const overOf = (place: number) => 3 * place + 2;
/** The atom or group whose moment it is. */
export const placeOf = (moment: number) => Math.floor(moment / 3);

/** The order of a graph, which is computed once. */
export function orderOf(graph: WorkGraph): Order {
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
