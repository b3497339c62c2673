import { oneLine } from '../../../core/text/text.ts';
import type { CheckItem, PlannedAtom } from './plan.ts';

/** The longest criterion of a rubric, in characters. */
const LONGEST_CRITERION = 900;

type Checked = Pick<PlannedAtom, 'title' | 'does' | 'run' | 'by' | 'checks'>;

/**
 * Returns the checks of an atom. One without checks of its own is not simply believed: a person says whether what a
 * person did is done, and votes, or a person, whether what others did is. Of a command, we see ourselves how it ends.
 */
export function checksOf({ title, does, run, by, checks }: Checked): readonly CheckItem[] {
  if (checks.length > 0 || run !== undefined) return checks;
  const item = oneLine(title, 200);
  if (by === 'person') return [{ item, check: { assertion: item } }];
  const criterion = oneLine(does ?? title, LONGEST_CRITERION) || item;
  return [{ item, check: { quality: { rubric: [{ criterion, weight: 1 }], threshold: 3.5 } } }];
}
