import type { Message } from '../../core/messages/message.ts';
import type { Kinds } from '../../engine/kind.ts';
import { openDiskFiles } from '../../store/files/disk/disk-files.ts';
import { openForReading } from '../../store/open-store.ts';
import { momentIn, momentNames } from '../../store/past/moment.ts';
import { overviewOf, type SearchOverview } from '../reader/search-overview.ts';
import { ownKey } from '../trust/state-folder.ts';
import { type LogEntry, logOf } from './search-log.ts';

/** `overviewOf` a search as it was, where its path has a moment, as in `DIR@42`. */
export async function overviewAt(kinds: Kinds, folder: string): Promise<SearchOverview> {
  return await overviewOf(kinds, folder, await openForReading(folder, ownKey()));
}

/** The log of a search, as far as its moment. */
interface SearchLog {
  readonly entries: readonly LogEntry[];
  /** The size of the texts that are kept. */
  readonly bytes: number;
  /** The names of moments, by the numbers of their events. */
  readonly names: ReadonlyMap<number, string>;
}

/** Reads what happened to a search, as far as its moment. */
export async function readLog(folder: string): Promise<SearchLog> {
  const store = await openForReading(folder);
  const names = await momentNames(await openDiskFiles(momentIn(folder)?.folder ?? folder));
  return {
    entries: logOf((await store.readSearch()).title, await store.readJournal()),
    bytes: await store.texts.size(),
    names: new Map(Array.from(names, ([name, seq]) => [seq, name])),
  };
}

/** A moment of a search, by the number of its event. */
interface KnownMoment {
  readonly event: number;
  /** ISO 8601. */
  readonly time: string;
  readonly name: string | undefined;
  /** The act right after it, if it has no name. */
  readonly before: Message | undefined;
}

const MOST_MOMENTS = 50;

/** The moments of a search that a person knows, the latest first: named ones, and those right before what somebody did. */
export async function knownMoments(folder: string): Promise<readonly KnownMoment[]> {
  const { entries, names } = await readLog(folder);
  const known = entries.flatMap(({ seq, time, say: words, isPersons }): KnownMoment[] => {
    const name = names.get(seq);
    const named = name === undefined ? [] : [{ event: seq, time, name, before: undefined }];
    return isPersons && seq > 1 ? [{ event: seq - 1, time, name: undefined, before: words }, ...named] : named;
  });
  return known.reverse().slice(0, MOST_MOMENTS);
}
