import { kept } from '../../core/messages/kept.ts';
import type { UsageDoubt } from '../../core/money/usage-doubt.ts';
import type { History } from '../history.ts';
import * as say from '../messages.ts';

const WORDS: Record<UsageDoubt, typeof say.noFigures> = {
  nothing: say.noFigures,
  reasoning: say.reasoningLeftOut,
  sums: say.sumsDoNotAddUp,
  length: say.longerThanAsked,
  endless: say.endlessAnswers,
  cost: say.costBelowPrice,
};

/** Journals what a model's server gets wrong, once a search. */
export function tellDoubts(history: History, model: string, doubts: readonly UsageDoubt[] = []): void {
  for (const doubt of doubts)
    if (!history.past.doubted.isKnown(model, doubt))
      history.note({ type: 'usage-doubted', model, doubt, ...kept(WORDS[doubt]({ model })) });
}
