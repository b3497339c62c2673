import { groupsAround, nextAlternative } from './selection.ts';
import { lineOf } from './structure.ts';
import type { Atom, AtomName, WorkGraph } from './work-graph.ts';

/** A step about an atom that keeps failing, instead of trying it the same way again. */
export type StallStep =
  | { readonly kind: 'switch'; readonly group: AtomName; readonly to: AtomName }
  | { readonly kind: 'decompose' }
  | { readonly kind: 'probe' };

/** The abilities of those who work here. */
export interface Abilities {
  readonly probe: boolean;
  readonly decompose: boolean;
  /** True if failing items of the base case can become new atoms. */
  readonly extend: boolean;
}

interface Stalled {
  /** The number of iterations in a row without progress. */
  readonly stalls: number;
  readonly wasProbed: boolean;
}

/** The depth down to which an atom may be split once more: one that fails below is not too big. */
const MOST_DEPTH = 3;

/**
 * The next step after so many stalls in a row: another alternative of the innermost group that has one, then splitting it,
 * then finding out whether it can be done, once. Undefined if none of these is possible.
 */
export function stallStep(
  graph: WorkGraph,
  atom: Atom,
  { stalls, wasProbed }: Stalled,
  can: Abilities,
): StallStep | undefined {
  const group = groupsAround(graph, atom).find((each) => nextAlternative(graph, each) !== undefined);
  const to = group && nextAlternative(graph, group);
  const steps: StallStep[] = [];
  if (group && to !== undefined) steps.push({ kind: 'switch', group: group.name, to });
  if (can.decompose && lineOf(graph, atom).length <= MOST_DEPTH) steps.push({ kind: 'decompose' });
  if (can.probe && !wasProbed) steps.push({ kind: 'probe' });
  return steps[Math.min(stalls, steps.length) - 1];
}
