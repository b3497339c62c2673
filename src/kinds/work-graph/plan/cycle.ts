import { cyclesIn } from '../graph/cycles.ts';
import type { AtomName, WorkGraph } from '../graph/work-graph.ts';

/** Names that wait for each other in a circle, each for the next; undefined if none do. */
export function cycleIn(graph: WorkGraph): AtomName[] | undefined {
  return cyclesIn(graph)[0];
}
