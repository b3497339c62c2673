import type { Message } from '../../core/messages/message.ts';
import { stateOf } from '../../core/search/messages.ts';
import { oneLine } from '../../core/text/text.ts';
import { moneyLine, timeLine, tokensLine } from '../../engine/report/cost-lines.ts';
import type { SearchOverview } from '../reader/search-overview.ts';
import * as say from './messages.ts';

/**
 * Tells the state of a search and its cost, one sentence each.
 * @param safe writes the name of a model, which may come from a clone, for where the sentences go
 */
export function figuresOf(
  { state, led, model, results, free }: SearchOverview,
  safe: (name: string) => string = (name) => name,
): Message[] {
  const said = [
    say.state({ state: stateOf({ state, led }) }),
    ...(model === undefined ? [] : [say.model({ model: safe(oneLine(model, 200)) })]),
  ];
  if (results.calls === 0) return said; // a clone has no journal, so that nothing is known of its cost
  return [
    ...said,
    say.calls({ count: results.calls }),
    tokensLine(results.tokens),
    moneyLine(results, free),
    timeLine(results.minutes),
  ];
}
