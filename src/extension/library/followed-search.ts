import type { GraphFleet } from '../../protocol/graph-node.ts';
import { SearchReader } from '../../searches/reader/search-reader.ts';
import type { SearchForecast } from './forecasts.ts';

/** A search as this window shows it: from its files and its journal, whoever runs it, plus what only its runner knows. */
export class FollowedSearch extends SearchReader {
  /** Its forecast, if this window runs it and it costs something. */
  forecast: (() => SearchForecast) | undefined;
  /** The fleet that makes its calls, if this window sees one. */
  fleet: GraphFleet | undefined;
}
