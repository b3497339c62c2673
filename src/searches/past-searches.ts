import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CallStatistics } from '../core/money/call-statistics.ts';
import { isThoughtTreeError } from '../core/search/errors.ts';
import { SearchRecord } from '../core/search/record/search-record.ts';
import { findSearches, openForReading } from '../store/open-store.ts';
import { isFreeModel } from './models/choose-model.ts';
import { ownKey } from './trust/own-key.ts';

/** The most searches that are read, latest first, and the largest journal, in bytes: more would take long. */
const MOST_SEARCHES = 8;
const LARGEST_JOURNAL = 8 * 1024 * 1024;
/** The number of answers of one model that suffice to leave out other models. */
const ENOUGH_ANSWERS = 30;

export interface PastRequest {
  /** The folder that holds a workspace's searches. */
  readonly searches: string;
  readonly kind: string;
  /** The model that will write: its own answers count most. */
  readonly model: string;
  /** It costs nothing; models that write for nothing and others teach nothing about each other. */
  readonly free?: boolean;
  /** A search to leave out, by its folder. */
  readonly except?: string | undefined;
  /** Tells whether this user ran a search: the journals of others may say anything. By default, all are theirs. */
  readonly isOwn?: ((folder: string) => Promise<boolean>) | undefined;
}

/** The call statistics of earlier searches in a workspace. Unreadable ones are ignored. */
export async function pastStatistics({
  searches,
  kind,
  model,
  free = false,
  except,
  isOwn,
}: PastRequest): Promise<CallStatistics> {
  const found = await findSearches(searches).catch(() => []);
  const alike = found.filter(({ folder, search }) => search?.kind === kind && folder !== except);
  const latest = await latestOf(
    await ownAmong(
      alike.map(({ folder }) => folder),
      isOwn,
    ),
  );
  const records = await Promise.all(latest.map(readRecord));
  const same = new CallStatistics();
  const all = new CallStatistics();
  for (const record of records) {
    if (record.model === undefined || isFreeModel(record.model) !== free) continue;
    const isSame = record.model === model;
    if (isSame) same.include(record.statistics);
    all.include(record.statistics, isSame);
  }
  const answers = same.purposes.reduce((sum, purpose) => sum + same.of(purpose).answers, 0);
  return answers >= ENOUGH_ANSWERS ? same : all;
}

async function ownAmong(folders: readonly string[], isOwn: PastRequest['isOwn']): Promise<readonly string[]> {
  if (!isOwn) return folders;
  const own = await Promise.all(folders.map(isOwn));
  return folders.filter((_, index) => own[index]);
}

async function latestOf(folders: readonly string[]): Promise<string[]> {
  const journals = await Promise.all(
    folders.map(async (folder) => {
      const found = await stat(join(folder, '.search', 'journal.jsonl')).catch(() => undefined);
      return { folder, at: found?.isFile() && found.size <= LARGEST_JOURNAL ? found.mtimeMs : undefined };
    }),
  );
  const readable = journals.flatMap(({ folder, at }) => (at === undefined ? [] : [{ folder, at }]));
  return readable
    .sort((a, b) => b.at - a.at)
    .slice(0, MOST_SEARCHES)
    .map(({ folder }) => folder);
}

async function readRecord(folder: string): Promise<SearchRecord> {
  try {
    const store = await openForReading(folder, ownKey());
    return (await store.readRecord(() => ({ record: new SearchRecord() }))).record;
  } catch (error) {
    if (isThoughtTreeError(error)) return new SearchRecord();
    throw error;
  }
}
