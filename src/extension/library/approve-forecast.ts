import * as vscode from 'vscode';
import { highestUsd } from '../../core/money/highest-usd.ts';
import type { Model } from '../../core/ports/model.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { Kinds } from '../../engine/kind/kinds.ts';
import { figures } from '../figures.ts';
import { forecastWords } from '../forecast-words.ts';
import { loadSearches } from '../load-searches.ts';
import { notBegun } from '../messages.ts';
import { settingsFor } from '../settings.ts';
import type { RunRequest } from './run-request.ts';

/**
 * Asks before a search is begun or continued that may cost more than the person's limit, or an unknown amount.
 * @throws ThoughtTreeError `declined` if the answer is no
 */
export async function approveForecast(
  kinds: Kinds,
  request: RunRequest,
  model: Model,
  judge: Model | undefined,
): Promise<void> {
  const { place, create, limits, concurrency } = request;
  const { askAbove } = settingsFor(vscode.Uri.file(place.workspace));
  if (askAbove === undefined || (model.free && (judge?.free ?? true))) return;
  const searches = await loadSearches();
  const { left } = await searches.forecast({ kinds, place, create, limits, concurrency, model, judge });
  const highest = highestUsd(left);
  if (highest !== undefined && highest <= askAbove) return;
  const limit = figures.usd(askAbove);
  const question =
    highest !== undefined
      ? vscode.l10n.t('This search may cost up to {0}; you want to be asked above {1}.', figures.usd(highest), limit)
      : vscode.l10n.t('The cost of this search is unknown; you want to be asked above {0}.', limit);
  const yes = vscode.l10n.t('Begin');
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail: forecastWords(left) }, yes);
  if (answer !== yes) throw new ThoughtTreeError('declined', notBegun());
}
