import type { KindRun } from '../../../engine/kind/kind.ts';
import { OFFERING } from '../../../engine/offers/offering-actions.ts';
import type { SearchContext } from '../../../engine/search-context.ts';
import { workActions } from '../actions/work-actions.ts';
import type { PlanFile } from '../plan/plan.ts';
import { writeWorkReport } from '../report/work-report.ts';
import { workMessage, workResults } from '../report/work-results.ts';
import type { Roles } from '../roles/roles.ts';
import { graphFacts, iterationOfAnswer } from './graph-facts.ts';
import { completeLayOut } from './moves/lay-out.ts';
import { planIn } from './plan-of.ts';
import { prepare } from './prepare.ts';
import { WorkGraphStrategy } from './strategy/work-graph-strategy.ts';
import { Readiness } from './work-commands.ts';
import { workExecutors } from './work-executors.ts';
import { workOffers } from './work-offers.ts';
import type { WorkSearch } from './work-search.ts';

/** Opens a search for a goal. @param roles what its models can do */
export async function openWorkGraph(ctx: SearchContext, roles: Roles): Promise<KindRun> {
  const readiness = new Readiness(ctx);
  let limits: PlanFile['limits'] | undefined;
  const readLimits = async (): Promise<void> => {
    limits = (await planIn(ctx.store))?.limits;
  };
  // A plan that cannot be read is reported once it is needed: a search can still be looked at.
  await readLimits().catch(() => undefined);
  const ready: WorkSearch['ready'] = async (signal) => {
    const shop = await readiness.ready(signal);
    await readLimits();
    return shop;
  };
  const search: WorkSearch = { ...ctx, roles, ready };
  return {
    strategy: new WorkGraphStrategy(graphFacts(ctx, roles, () => limits)),
    executors: workExecutors(search),
    offers: workOffers(search, () => iterationOfAnswer(ctx)),
    actions: { ...OFFERING, ...workActions(search) },
    prepare: (show, making) => prepare(search, show, making),
    takeUp: () => completeLayOut(search),
    writeReport: (results) => writeWorkReport(search, results),
    results: () => workResults(search),
    message: () => workMessage(search),
  };
}
