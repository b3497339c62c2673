import type { Forecast } from '../../core/money/forecast.ts';
import type { Model } from '../../core/ports/model.ts';
import type { Kinds } from '../../engine/kind.ts';
import type { Search } from '../../engine/search.ts';
import type { GraphFleet } from '../../protocol/graph-node.ts';
import type { Place } from '../../searches/place.ts';
import { SearchReader } from '../../searches/reader/search-reader.ts';
import { loadSearches } from '../load-searches.ts';

/** A search as this window shows it: from its files and its journal, whoever runs it, plus what only its runner knows. */
export class FollowedSearch extends SearchReader {
  /** Its forecast, if this window runs it and it costs something. */
  forecast: (() => SearchForecast) | undefined;
  /** The fleet that makes its calls, if this window sees one. */
  fleet: GraphFleet | undefined;
}

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
