import { groupsAround, nextAlternative } from './selection.ts';
import { lineOf } from './structure.ts';
import type { Atom, AtomName, WorkGraph } from './work-graph.ts';

/** What is done about an atom that keeps failing, instead of trying it the same way again. */
export type StallStep =
  | { readonly kind: 'switch'; readonly group: AtomName; readonly to: AtomName }
  | { readonly kind: 'decompose' }
  | { readonly kind: 'probe' };

/** What somebody here is able to do. */
export interface Abilities {
  readonly probe: boolean;
  readonly decompose: boolean;
  /** Whether failing items of the base case can become new atoms. */
  readonly extend: boolean;
}

interface Stalled {
  /** How many iterations in a row had no progress. */
  readonly stalls: number;
  readonly wasProbed: boolean;
}

/** How deep an atom may be for it to be split once more: what fails there is not too big. */
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
