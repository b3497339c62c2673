import type { NodeFacts, SearchFacts } from '../../core/actions/action-descriptor.ts';
import type { LimitReached } from '../../core/search/record/search-state.ts';
import type { SearchReader } from './search-reader.ts';

/**
 * A search that is read, for deciding what can be done to it.
 * @param failed how many of its nodes have failed, if that is known better than from the journal
 */
export function searchFactsOf(reader: SearchReader, failed = reader.count('failed')): SearchFacts {
  const { isRead, isActive, isResumable, isDivided, hasReport, isAccepted } = reader;
  const state = isRead || isActive ? reader.state : undefined;
  const { offers, hasBegun } = reader.record;
  const limit = limitOf(reader);
  const isLedOutside = reader.led !== undefined;
  const known = { state, isResumable, isLedOutside, hasBegun, isDivided, isAccepted, hasReport, failed, limit };
  return { ...known, offers: offers.size };
}

/** Returns the limit that a search rests at, with what its size needs if that was reckoned since. */
export function limitOf({ record, needed }: Pick<SearchReader, 'record' | 'needed'>): LimitReached | undefined {
  const reached = record.limitReached;
  return reached && needed?.guard === reached.guard && needed.limit === reached.limit ? needed : reached;
}

/** Returns a node according to its current files, for deciding what can be done to it; undefined if it is gone. */
export async function readNodeFacts(
  { store, isActive }: Pick<SearchReader, 'store' | 'isActive'>,
  path: string,
): Promise<{ title: string; facts: NodeFacts } | undefined> {
  const found = await store?.readNode(path).catch(() => undefined);
  if (!store || !found) return undefined;
  const { title, status, leafReason } = found.file;
  const above = path.split('/').slice(0, -1);
  const files = await Promise.all(above.map((_, i) => store.readNodeFile(above.slice(0, i + 1).join('/'))));
  const facts = {
    status: status === 'in-progress' && !isActive ? 'unexpanded' : status,
    leafReason,
    isCutOff: files.some((file) => file?.status === 'pruned'),
    hasDocument: found.hasDocument,
    own: found.file.own,
  };
  return { title, facts };
}
