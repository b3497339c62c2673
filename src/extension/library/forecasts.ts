import type { Forecast } from '../../core/money/forecast.ts';
import type { Model } from '../../core/ports/model.ts';
import type { Kinds } from '../../engine/kind/kinds.ts';
import type { Search } from '../../engine/search.ts';
import type { Place } from '../../searches/place.ts';
import { loadSearches } from '../load-searches.ts';

/** What a search that runs comes to: what is left, and with what was spent already. */
export interface SearchForecast {
  readonly left: Forecast;
  readonly whole: Forecast;
}

/** How long a forecast may be shown that is not made anew, in milliseconds: it is a walk through the whole tree. */
const GOOD_FOR_MS = 1000;

/** What a forecast is made from. */
interface Followed {
  readonly model: Model;
  readonly judge: Model | undefined;
}

/** Follows a search that runs here, and says what it will come to; undefined where it costs nothing. */
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
