import type { Forecast } from '../core/money/forecast.ts';
import type { Kinds } from '../engine/kind/kinds.ts';
import { priceOf } from '../models/prices.ts';
import { RunningForecast } from './forecast-for.ts';
import { isFreeModel } from './models/choose-model.ts';
import type { SearchOverview } from './reader/search-overview.ts';

/** The forecast for the rest of an unfinished search, by the price table; undefined if it costs nothing. */
export async function forecastLeft(overview: SearchOverview, kinds: Kinds): Promise<Forecast | undefined> {
  const { folder, file, record, limits, model, judge, tree, free, state } = overview;
  if (free || state === 'finished' || model === undefined) return undefined;
  const place = { folder, workspace: folder };
  const asked = (name: string) => {
    const price = priceOf(name);
    return { name, free: isFreeModel(name), ...(price && { price }) };
  };
  const models = { model: asked(model), ...(judge === undefined ? {} : { judge: asked(judge) }) };
  return (await RunningForecast.open({ kinds, place, limits, ...models }, file, record)).left(tree);
}
