import { beginOf, type Order, orderOf, placeOf } from './order.ts';
import type { AtomName, WorkGraph } from './work-graph.ts';

/** The atoms and groups that come after any of these, directly or not, with these themselves, in the order of the plan. */
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
