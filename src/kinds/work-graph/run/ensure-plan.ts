import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { writePlan } from '../plan/write-plan.ts';
import * as say from './messages.ts';
import { planIn } from './plan-of.ts';
import type { WorkSearch } from './work-search.ts';

/**
 * Has a model make the plan, if there is none: also where nobody can look at it before the work begins.
 * @throws ThoughtTreeError `bad-input` if there is no model that could
 */
export async function ensurePlan(
  { store, roles }: WorkSearch,
  signal: AbortSignal,
  making?: () => void,
): Promise<void> {
  if (await planIn(store)) return;
  if (!roles.makePlan) throw new ThoughtTreeError('bad-input', say.noPlan());
  making?.();
  const made = await roles.makePlan(signal);
  // A person may have written one meanwhile.
  if (!(await planIn(store))) await store.writePlan(writePlan(made));
}
