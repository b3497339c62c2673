import { groupsAround, nextAlternative } from './selection.ts';
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

/**
 * The next step after so many stalls in a row: another alternative of the innermost group that has one, then splitting it,
 * then finding out whether it can be done. Undefined if none of these is possible.
 */
export function stallStep(graph: WorkGraph, atom: Atom, stalls: number, can: Abilities): StallStep | undefined {
  const group = groupsAround(graph, atom).find((each) => nextAlternative(graph, each) !== undefined);
  const to = group && nextAlternative(graph, group);
  const steps: StallStep[] = [];
  if (group && to !== undefined) steps.push({ kind: 'switch', group: group.name, to });
  if (can.decompose) steps.push({ kind: 'decompose' });
  if (can.probe) steps.push({ kind: 'probe' });
  return steps[Math.min(stalls, steps.length) - 1];
}
