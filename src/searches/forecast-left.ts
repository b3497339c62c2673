import type { Forecast } from '../core/money/forecast.ts';
import type { Model } from '../core/ports/model.ts';
import type { Kinds } from '../engine/kind/kinds.ts';
import { priceOf } from '../models/prices.ts';
import { RunningForecast } from './forecast-for.ts';
import { isFreeModel } from './models/choose-model.ts';
import type { SearchOverview } from './reader/search-overview.ts';

/** The facts that are known of a model by its name. */
type Facts = Pick<Model, 'name' | 'free' | 'price'>;

/**
 * The forecast for the rest of an unfinished search; undefined if it costs nothing.
 * @param facts what its models cost; by default what the price table says
 */
export async function forecastLeft(
  overview: SearchOverview,
  kinds: Kinds,
  facts: (name: string) => Facts = inTable,
): Promise<Forecast | undefined> {
  const { folder, file, record, limits, model, judge, tree, free, state } = overview;
  if (free || state === 'finished' || model === undefined) return undefined;
  const place = { folder, workspace: folder };
  const models = { model: facts(model), ...(judge === undefined ? {} : { judge: facts(judge) }) };
  return (await RunningForecast.open({ kinds, place, limits, ...models }, file, record)).left(tree);
}

function inTable(name: string): Facts {
  const price = priceOf(name);
  return { name, free: isFreeModel(name), ...(price && { price }) };
}
