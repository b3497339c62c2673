import { SearchReader } from '../../searches/reader/search-reader.ts';
import type { SearchForecast } from './forecasts.ts';

/** A search as this window shows it: what its files and its journal tell, whoever runs it, and what only who runs it knows. */
export class FollowedSearch extends SearchReader {
  /** What it will come to, where this window runs it and it costs something. */
  forecast: (() => SearchForecast) | undefined;
}
