import { kept } from '../../core/messages/kept.ts';
import type { Message } from '../../core/messages/message.ts';
import type { ServerDoubt, UsageDoubt } from '../../core/money/usage-doubt.ts';
import type { Guards } from '../../core/search/limits.ts';
import type { History } from '../history.ts';
import * as say from '../messages.ts';

const WORDS: Record<ServerDoubt, typeof say.noFigures> = {
  nothing: say.noFigures,
  prompt: say.promptCut,
  reasoning: say.reasoningLeftOut,
  sums: say.sumsDoNotAddUp,
  length: say.longerThanAsked,
  endless: say.endlessAnswers,
  cost: say.costBelowPrice,
};

/** Journals what a model's server gets wrong, once a search. */
export function tellDoubts(history: History, model: string, doubts: readonly ServerDoubt[] = []): void {
  for (const doubt of doubts) tellOnce(history, model, doubt, () => WORDS[doubt]({ model }));
}

/** Journals, once a search, that a limit of money cannot hold for a model, and what does. */
export function tellUnpriced(history: History, model: string, { usd = 0, tokens, calls }: Guards): void {
  tellOnce(history, model, 'unpriced', () => {
    const held = [
      ...(tokens === undefined ? [] : [say.heldTokens({ count: tokens })]),
      ...(calls === undefined ? [] : [say.heldCalls({ count: calls })]),
    ];
    const about = { model, limit: usd };
    return held.length > 0 ? say.priceUnknown({ ...about, held }) : say.nothingHolds(about);
  });
}

/** @param what made only if it is told: this is asked for each answer */
function tellOnce(history: History, model: string, doubt: UsageDoubt, what: () => Message): void {
  if (history.past.doubted.isKnown(model, doubt)) return;
  history.note({ type: 'usage-doubted', model, doubt, ...kept(what()) });
}
