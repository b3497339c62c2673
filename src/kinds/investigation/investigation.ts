import { optionsSchema } from '../../core/search/option-schema.ts';
import type { Kind, KindRun } from '../../engine/kind/kind.ts';
import type { SearchContext } from '../../engine/search-context.ts';
import { investigationFormats } from './exchange/investigation-formats.ts';
import { LastCall } from './exchange/last-call.ts';
import { investigationFace } from './face.ts';
import { CALL_ACTIONS } from './run/call-actions.ts';
import { callExecutors, callOffers } from './run/call-offers.ts';
import { documentAgain } from './run/document-again.ts';
import { InvestigationStrategy } from './run/investigation-strategy.ts';
import { KeptCalls } from './run/kept-change.ts';
import { OwnFields } from './run/own-fields.ts';
import { writeInvestigationReport } from './run/report.ts';

/** "Investigate a question": agents propose, research and check nodes in rounds, by the rules of a protocol. */
export const investigation: Kind = {
  face: investigationFace,
  options: optionsSchema(investigationFace.options),
  own: OwnFields,
  begin: ({ options }) => ({ options }),
  forecast: { parts: () => [], purposes: {}, ofNode: [] },
  folds: () => [new KeptCalls(), new LastCall()],
  formats: investigationFormats,
  documentAgain,
  open,
};

function open(ctx: SearchContext): KindRun {
  return {
    strategy: new InvestigationStrategy(() => ctx.history.past.part(KeptCalls)?.progress?.hasEnded === true),
    executors: callExecutors(ctx),
    offers: callOffers(ctx),
    actions: CALL_ACTIONS,
    writeReport: () => writeInvestigationReport(ctx),
  };
}
