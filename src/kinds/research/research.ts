import { reserveFor } from '../../engine/calls/closing-call.ts';
import type { Kind, KindRun } from '../../engine/kind/kind.ts';
import { whyNothing } from '../../engine/report/why-nothing.ts';
import type { SearchContext } from '../../engine/search-context.ts';
import { slotsToPlan } from '../../engine/slots-to-plan.ts';
import { documentAgain } from './conversation/document-again.ts';
import { Shown } from './conversation/meanwhile.ts';
import { listsGiven } from './conversation/node-conversations.ts';
import { researchFace } from './face.ts';
import { researchForecast } from './forecast.ts';
import { NEW_FORM, researchOptionsSchema } from './options.ts';
import { systemText } from './prompts/system-text.ts';
import { OPENING_CALL } from './report/synthesis.ts';
import { writeReport } from './report/write-report.ts';
import { researchExecutors } from './research-executors.ts';
import { openResearch } from './research-search.ts';
import { Research } from './strategy/research.ts';

/** "Research a question": a tree of documents, its first level walked, the rest guided by a picker. */
export const research: Kind = {
  face: researchFace,
  options: researchOptionsSchema,
  begin: ({ options }) => ({ strategy: 'research', options: { ...NEW_FORM, ...options } }),
  forecast: researchForecast,
  system: systemText,
  folds: () => [new Shown()],
  documentAgain,
  open,
};

async function open(ctx: SearchContext): Promise<KindRun> {
  const search = await openResearch(ctx);
  const { limits, picker, inRounds, leastScore, askAgain } = search;
  return {
    strategy: new Research({
      ...{ size: limits.now.size, picker, inRounds, leastScore },
      get concurrency() {
        return slotsToPlan(ctx);
      },
      picksTakeSlots: ctx.slots !== undefined,
    }),
    executors: researchExecutors(search),
    keptForReport: reserveFor(search, OPENING_CALL),
    writeReport: (results) => writeReport(search, results),
    whyNothing: () => whyNothing(search),
    async again(node, before) {
      const lists = before ?? (await listsGiven(search, node));
      askAgain.set(node.id, lists);
      return lists;
    },
  };
}
