import type { Kinds } from '../../engine/kind.ts';
import { openForReading } from '../../store/open-store.ts';
import { overviewOf, type SearchOverview } from '../reader/search-overview.ts';
import { ownKey } from '../trust/state-folder.ts';

/** `overviewOf` a search as it was, where its path has a moment, as in `DIR@42`. */
export async function overviewAt(kinds: Kinds, folder: string): Promise<SearchOverview> {
  return await overviewOf(kinds, folder, await openForReading(folder, ownKey()));
}
