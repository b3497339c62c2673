import type { Forecast } from '../../core/money/forecast.ts';
import type { Model } from '../../core/ports/model.ts';
import type { Kinds } from '../../engine/kind/kinds.ts';
import type { Search } from '../../engine/search.ts';
import type { Place } from '../../searches/place.ts';
import { loadSearches } from '../load-searches.ts';

/** The forecast of a running search: for the rest, and including what was spent. */
export interface SearchForecast {
  readonly left: Forecast;
  readonly whole: Forecast;
}

/** The time that a forecast may be shown before it is made again, in milliseconds: it walks through the whole tree. */
const GOOD_FOR_MS = 1000;

interface Followed {
  readonly model: Model;
  readonly judge: Model | undefined;
}

/** Follows a search that runs here and forecasts its cost; undefined if it is free. */
export async function followForecast(
  kinds: Kinds,
  place: Place,
  search: Search,
  { model, judge }: Followed,
): Promise<(() => SearchForecast) | undefined> {
  if (model.free && (judge?.free ?? true)) return undefined;
  const searches = await loadSearches();
  const { limits, concurrency, file, tree, record } = search;
  const wanted = { kinds, place, limits, concurrency, model, judge };
  const running = await searches.runningForecast(wanted, file, record);
  let made = Number.NEGATIVE_INFINITY;
  let last: SearchForecast | undefined;
  return () => {
    const now = performance.now();
    if (!last || now - made > GOOD_FOR_MS) {
      last = { left: running.left(tree), whole: running.whole(tree) };
      made = now;
    }
    return last;
  };
}
