import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem, ReadStore } from '../../core/ports/store.ts';
import type { JournalEvent, Results } from '../../core/search/events.ts';
import type { Limits } from '../../core/search/limits.ts';
import { SearchRecord } from '../../core/search/record/search-record.ts';
import { type SearchState, searchState } from '../../core/search/record/search-state.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import type { Tree } from '../../core/tree/tree.ts';
import { lastLimits } from '../../engine/limits-of.ts';
import { openTree } from '../../engine/nodes/open-tree.ts';
import { resultsOf } from '../../engine/results.ts';
import { FREE_MODEL, isFreeModel } from '../../searches/models/choose-model.ts';
import { findHolder, openForReading } from '../../store/open-store.ts';
import { systemClock } from '../../store/system-ports.ts';

/** Who writes a search now. */
interface LiveHolder {
  readonly pid: number;
  readonly host: string;
  /** ISO 8601, where known. */
  readonly since?: string;
}

/** Everything that can be said of a search without holding it. */
export interface SearchOverview {
  readonly folder: string;
  readonly file: SearchFile;
  readonly state: SearchState;
  /** The model it was last run with here, else the one that its file names. */
  readonly model: string | undefined;
  /** The model that picks and evaluates, where that is another one. */
  readonly judge: string | undefined;
  readonly free: boolean;
  readonly limits: Limits;
  readonly tree: Tree;
  readonly results: Results;
  /** Calls under way. */
  readonly callsUnderWay: number;
  readonly holder: LiveHolder | undefined;
  /** Why it is paused or waits, in words; undefined where it is neither. */
  readonly reason: string | undefined;
  readonly problems: readonly Problem[];
  readonly journal: readonly JournalEvent[];
  readonly record: SearchRecord;
  /** Opened for reading. */
  readonly store: ReadStore;
}

/**
 * Reads a search, also while another process runs it. Changes nothing.
 * @throws ThoughtTreeError `not-found`, `damaged`, `newer-version`
 */
export async function overviewOf(folder: string): Promise<SearchOverview> {
  const store = await openForReading(folder);
  const file = await store.readSearch();
  const holder = await liveHolder(folder);
  const tree = await openTree(store, file.title, holder ? 'follower' : 'reader');
  const journal = await store.readJournal();
  const record = SearchRecord.of(journal);
  const { judge, model = file.model } = record;
  const free = [model ?? FREE_MODEL, judge ?? FREE_MODEL].every(isFreeModel);
  // The calls of a dead search never end, so they count at their worst.
  const results = resultsOf(tree, holder ? record.spend : record.ledger.spendAtWorst, 0);
  const callsUnderWay = holder ? record.callsUnderWay.size : 0;
  const isOpen = !tree.root.listed || tree.counts.unexpanded + tree.counts['in-progress'] > 0;
  const hasReport = await stat(join(folder, 'report.md')).then(
    (found) => found.isFile(),
    () => false,
  );
  const state = searchState({ last: record.turn?.type, isHeld: holder !== undefined, isOpen, hasReport });
  const limits = lastLimits(record.limits, file, undefined, { free });
  const reason = state === 'paused' || state === 'waiting' ? record.reason : undefined;
  const { problems } = store;
  const seen = { state, model, judge, free, limits, tree, results, callsUnderWay, holder, reason, problems };
  return { folder, file, ...seen, journal, record, store };
}

async function liveHolder(folder: string): Promise<LiveHolder | undefined> {
  const holder = await findHolder(folder, systemClock);
  if (holder?.state !== 'alive' || !holder.file) return undefined;
  const { pid, host, since } = holder.file;
  return { pid, host, ...(since === undefined ? {} : { since }) };
}
