import { optionsSchema } from '../../core/kind/option-schema.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import { reserveFor } from '../../engine/calls/closing-call.ts';
import type { Asked, Kind, KindRun } from '../../engine/kind/kind.ts';
import type { SearchContext } from '../../engine/search-context.ts';
import { investigationFormats } from './exchange/investigation-formats.ts';
import { LastCall } from './exchange/last-call.ts';
import { type InvestigationOptions, investigationFace } from './face.ts';
import { investigationForecast } from './forecast.ts';
import { ledExecutors } from './led/led-executors.ts';
import { isLedByEngine, type LedSearch, momentOf, usualRounds } from './led/led-investigation.ts';
import { LedStrategy } from './led/led-strategy.ts';
import { VERDICT_CALL } from './led/report/verdict.ts';
import { writeVerdictReport } from './led/report/write-report.ts';
import { systemText } from './led/system-text.ts';
import { agentsOnly, agentsProfile } from './messages.ts';
import { KnownCalls, receiptOf } from './receipts.ts';
import { CALL_ACTIONS } from './run/call-actions.ts';
import { callExecutors, callOffers } from './run/call-offers.ts';
import { documentAgain } from './run/document-again.ts';
import { InvestigationStrategy } from './run/investigation-strategy.ts';
import { KeptCalls } from './run/kept-change.ts';
import { ledStanding } from './run/led-standing.ts';
import { OwnFields } from './run/own-fields.ts';
import { whyNoAnswer, writeInvestigationReport } from './run/report.ts';

/** "Investigate a question": agents, or the engine, propose, research and check nodes in rounds, by the rules of a protocol. */
export const investigation: Kind = {
  face: investigationFace,
  options: optionsSchema(investigationFace.options),
  own: OwnFields,
  begin,
  ledStanding,
  usualDepth: usualRounds,
  forecast: investigationForecast,
  system: systemText,
  folds: () => [new KeptCalls(), new KnownCalls(), new LastCall()],
  formats: investigationFormats,
  documentAgain,
  receiptOf,
  open: (ctx) => (isLedByEngine(ctx.file) ? openLed(ctx) : openForAgents(ctx)),
};

/** One without an id for agents is led by the engine, by our own rules. */
function begin({ options }: Asked): Pick<SearchFile, 'options'> {
  const { profile = 'strict', requireAgents } = options as InvestigationOptions;
  if (!isLedByEngine({ options })) return { options };
  if (profile !== 'strict') throw new ThoughtTreeError('bad-input', agentsProfile());
  if (requireAgents) throw new ThoughtTreeError('bad-input', agentsOnly());
  return { options };
}

function openForAgents(ctx: SearchContext): KindRun {
  return {
    strategy: new InvestigationStrategy(() => ctx.history.past.part(KeptCalls)?.progress?.hasEnded === true),
    executors: callExecutors(ctx),
    offers: callOffers(ctx),
    actions: CALL_ACTIONS,
    writeReport: () => writeInvestigationReport(ctx),
  };
}

function openLed(ctx: SearchContext): KindRun {
  const byRule = ctx.model.prose === false;
  const search: LedSearch = { ...ctx, byRule };
  search.closing.reportsOnPause = !byRule;
  return {
    strategy: new LedStrategy(() => momentOf(search), ctx.limits.now.size),
    executors: ledExecutors(search),
    offers: callOffers(ctx),
    actions: CALL_ACTIONS,
    keptForReport: reserveFor(search, VERDICT_CALL),
    writeReport: () => writeVerdictReport(search),
    whyNothing: () => whyNoAnswer(ctx),
    async again(node, before) {
      // A lead that was looked into is looked into by somebody else; what was found before is kept aside.
      if (before === undefined) await ctx.nodes.change(node, { sessionId: null, summary: null }, { document: null });
      return 0;
    },
  };
}
