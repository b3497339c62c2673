import type { ReadStore, Store } from '../../../core/ports/store.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import type { PlanFile } from '../plan/plan.ts';
import { checkPlan, readPlan } from '../plan/read-plan.ts';
import { writePlan } from '../plan/write-plan.ts';
import * as say from './messages.ts';

/** The plan that was read last of each search: a plan of many atoms takes a while. */
const known = new WeakMap<object, { readonly text: string; readonly plan: PlanFile }>();

/** The plan in a search's folder; undefined if there is none. @throws ThoughtTreeError `damaged` saying what is wrong */
export async function planIn(store: Pick<ReadStore, 'readPlan'>): Promise<PlanFile | undefined> {
  const text = await store.readPlan();
  if (text === undefined) return undefined;
  const before = known.get(store);
  if (before?.text === text) return before.plan;
  const plan = readPlan(text);
  known.set(store, { text, plan });
  return plan;
}

/** Returns the plan of a search that has one. @throws ThoughtTreeError `bad-input` if there is none */
export async function planOf(store: Pick<ReadStore, 'readPlan'>): Promise<PlanFile> {
  const plan = await planIn(store);
  if (!plan) throw new ThoughtTreeError('bad-input', say.noPlan());
  return plan;
}

/** Sets fields of the plan in a search's folder; comments and all else stay. @throws ThoughtTreeError `damaged` */
export async function changePlan(store: Store, change: (plan: PlanFile) => Partial<PlanFile>): Promise<void> {
  const plan = await planOf(store);
  const next = { ...plan, ...change(plan) };
  checkPlan(next);
  await store.writePlan(writePlan(next, await store.readPlan()));
}
