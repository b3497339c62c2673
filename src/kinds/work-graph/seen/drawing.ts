import type { KindDrawing, RoleView } from '../../../core/kind/kind-drawing.ts';
import { seenIn } from './unchecked.ts';

/** The alternative of a group that counts: the selected one, or the first that has not failed. */
export function chosenOf<T extends RoleView>(alternatives: readonly T[], group: unknown): T | undefined {
  const left = alternatives.filter(({ status }) => !hasFailed(status));
  const { selected } = seenIn(group);
  return left.find(({ own }) => selected !== undefined && seenIn(own).name === selected) ?? left[0];
}

function hasFailed(status: RoleView['status']): boolean {
  return status === 'failed' || status === 'pruned';
}

/** In layers: what waits comes after what it waits for, and the goal after all. */
export const workGraphDrawing: KindDrawing = {
  links: {
    'depends-on': { line: 'solid', text: 'waits for', incoming: 'needed by', isOrder: true },
    'if-failed': { line: 'dashed', text: 'only if this fails', incoming: 'if it fails', isOrder: true },
    'discovered-from': { line: 'dotted', text: 'discovered from', incoming: 'led to' },
  },
  roleOf: (own, above, { index, siblings }) => {
    if (seenIn(own).type === 'goal') return 'end';
    if (seenIn(above).type !== 'group') return undefined;
    const all = siblings();
    return chosenOf(all, above) === all[index] ? 'choice' : 'alternative';
  },
};
