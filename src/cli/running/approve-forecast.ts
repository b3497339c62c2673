import type { Message } from '../../core/messages/message.ts';
import { highestUsd } from '../../core/money/highest-usd.ts';
import type { Model } from '../../core/ports/model.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { formatUsd } from '../../core/text/figures.ts';
import { forecastFor } from '../../searches/forecast-for.ts';
import * as say from '../messages.ts';
import { limitsFrom } from '../options/options.ts';
import { forecastText } from '../rows/forecast-text.ts';
import { terminalOf } from '../terminal/terminal.ts';
import { inWords } from '../terminal/translation.ts';
import { askYes, canAsk } from './ask-yes.ts';
import type { RunRequest } from './open-run.ts';

/**
 * Asks, before anything is written, whether to begin a search that may cost more than the person's limit: if the upper end
 * of the forecast does, or the price is unknown.
 * @returns the forecast if it still has to be shown once the search is open; undefined if it was shown
 * @throws ThoughtTreeError `declined` if the answer is no, or there is nobody to ask
 */
export async function approveForecast(
  request: RunRequest,
  model: Model,
  judge: Model | undefined,
): Promise<string | undefined> {
  const { kinds, place, flags, create, options } = request;
  const limit = flags.askAbove;
  if (model.free && (judge?.free ?? true)) return undefined;
  const concurrency = request.concurrency;
  const limits = limitsFrom(flags);
  const { left } = await forecastFor({ kinds, place, create, limits, concurrency, options, model, judge });
  const highest = highestUsd(left);
  if (limit === undefined || (highest !== undefined && highest <= limit)) return forecastText(left);
  sayForecast(forecastText(left), flags.json);
  const why = whyAsked(highest, limit);
  if (!canAsk()) throw new ThoughtTreeError('declined', say.raiseAskAbove({ why }));
  if (!(await askYes(inWords(say.beginAsked({ why }))))) throw new ThoughtTreeError('declined', say.notBegun());
  return undefined;
}

/** Shows it where it does not come between events. */
export function sayForecast(text: string, json = false): void {
  const { err, out } = terminalOf(process);
  (json ? err : out).line(text);
}

function whyAsked(highest: number | undefined, above: number): Message {
  const limit = formatUsd(above);
  return highest === undefined ? say.unknownCost({ limit }) : say.mayCost({ most: formatUsd(highest), limit });
}
