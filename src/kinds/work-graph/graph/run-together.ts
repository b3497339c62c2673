import { touchesOverlap } from './touches-overlap.ts';
import type { Atom } from './work-graph.ts';

/** Tells whether two atoms may be worked on at once: they touch no common file, and need no common thing alone. */
export function mayRunTogether(one: Atom, other: Atom): boolean {
  return !one.uses.some((thing) => other.uses.includes(thing)) && !touchesOverlap(one.touches, other.touches);
}
