import { dirname, join } from 'node:path';
import { kept, type Message } from '../core/messages/message.ts';
import type { Clock } from '../core/ports/ports.ts';
import type { Problem } from '../core/ports/store.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../core/search/errors.ts';
import type { SearchFile } from '../core/search/search-file.ts';
import { openDiskFiles } from './files/disk/disk-files.ts';
import { type Files, toFileError } from './files/files.ts';
import { makeFolders } from './files/folders.ts';
import { JOURNAL, JOURNAL_START, walkJournal } from './journal/journal-reader.ts';
import { isJournalSealed } from './journal/journal-seal.ts';
import { createSearchJson, readSearchJson, searchText } from './json/search-json.ts';
import { type LeasePorts, takeLease } from './lease/lease.ts';
import { type Holder, readHolder } from './lease/lease-file.ts';
import { isThisProcess, thisProcess } from './lease/process-identity.ts';
import { forgotten, searchExists, searchRemains } from './messages.ts';
import { type Forgetting, type Forgotten, forgetIn } from './objects/forget.ts';
import { type At, momentIn } from './past/moment.ts';
import { PastFiles } from './past/past-files.ts';
import { requestsThere } from './requests/request-files.ts';
import { SearchReadStore } from './search-read-store.ts';
import { SearchStore } from './search-store.ts';
import type { SealKey } from './snapshot/sealed-file.ts';
import { SNAPSHOT } from './snapshot/snapshot.ts';
import { CONVERSATIONS, SEARCH_ID } from './store-paths.ts';
import { systemClock } from './system-ports.ts';

/** A folder with a search.json in it. */
export interface FoundSearch {
  /** Its absolute path. */
  readonly folder: string;
  /** Its search.json; undefined if it cannot be read. */
  readonly search: SearchFile | undefined;
  readonly problem: Problem | undefined;
}

/**
 * Creates a search in a folder, which is created too.
 * @throws ThoughtTreeError `exists` if there is a search already; `bad-input`, `not-writable`, `disk-full`
 */
export async function createSearch(folder: string, search: SearchFile): Promise<void> {
  searchText(search); // bad input must change nothing
  const made = await makeFolders(folder).catch((error: unknown) => {
    throw toFileError(error, folder, 'write');
  });
  const files = await openDiskFiles(folder);
  if (await files.stat('search.json')) throw exists(folder);
  // A new search must not begin with answers that came from elsewhere.
  for (const path of [JOURNAL, CONVERSATIONS])
    if (await files.stat(path)) throw new ThoughtTreeError('exists', searchRemains({ folder }), { file: folder });
  await ignoreOwnFolder(files);
  if (!(await createSearchJson(files, search))) throw exists(folder);
  if (made !== undefined) await flushAbove(folder, dirname(made));
}

/** Flushes the folders above one, up to the one that existed before. */
async function flushAbove(folder: string, last: string): Promise<void> {
  for (let at = dirname(folder); ; at = dirname(at)) {
    await (await openDiskFiles(at)).flush('');
    if (at === last || at === dirname(at)) return;
  }
}

export interface WritePorts extends LeasePorts {
  /** Seals snapshots; without one, there are none. */
  readonly sealKey?: SealKey | undefined;
}

/**
 * Opens a search for writing. If that is refused, nothing changes.
 * @throws ThoughtTreeError `not-found`, `newer-version`, `damaged` (search.json), `held`, `not-writable`, `disk-full`
 */
export async function openForWriting(folder: string, ports: WritePorts): Promise<SearchStore> {
  return await openFilesForWriting(await openDiskFiles(folder), ports);
}

/** Opens a search on any files for writing, with the errors of `openForWriting`. */
export async function openFilesForWriting(files: Files, ports: WritePorts): Promise<SearchStore> {
  await readSearchJson(files);
  // Requests from before anybody can know of this lease are addressed to nobody any more.
  const requests = await requestsThere(files);
  const lease = await takeLease(files, ports);
  try {
    await files.cleanUp();
    for (const file of requests) await files.remove(file).catch(() => undefined);
    await ignoreOwnFolder(files);
    // The states of files and what is in them need not belong together any more.
    if (lease.lastEnd === 'power-loss') await files.remove(SNAPSHOT);
    const store = new SearchStore(files, lease, ports.sealKey);
    await store.openJournal();
    return store;
  } catch (error) {
    await lease.release();
    throw error;
  }
}

/**
 * Opens a search for reading.
 * @param sealKey seals snapshots; without one, none is used
 * @throws ThoughtTreeError `not-found`, `newer-version`, `damaged` (search.json)
 */
export async function openForReading(folder: string, sealKey?: SealKey): Promise<SearchReadStore> {
  const past = momentIn(folder);
  return past ? await openPast(past) : await openPresent(folder, sealKey);
}

/** Opens a search for reading as it is now, for those who follow it: they need nothing of what it was. */
export async function openPresent(folder: string, sealKey?: SealKey): Promise<SearchReadStore> {
  const files = await openDiskFiles(folder);
  await readSearchJson(files);
  return new SearchReadStore(files, sealKey);
}

/** Opens a search as it was; its moment is in its path, as in `DIR@42`. */
async function openPast({ folder, moment }: At): Promise<SearchReadStore> {
  const files = await PastFiles.open(await openDiskFiles(folder), moment, systemClock.now());
  await readSearchJson(files);
  return new SearchReadStore(files, undefined, files.at);
}

/**
 * Forgets texts that a search keeps; takes the lease for it.
 * @param begin called before anything changes
 * @throws ThoughtTreeError `bad-input`, `held` and those of `openForWriting`
 */
export async function forget(
  folder: string,
  what: Forgetting,
  by: string,
  ports: WritePorts,
  begin?: (store: SearchStore) => Promise<void>,
): Promise<Forgotten & { readonly say: Message }> {
  const files = await openDiskFiles(folder);
  const store = await openFilesForWriting(files, ports);
  try {
    const commit = { beforeCommit: () => store.checkLease() };
    const done = await forgetIn(files, what, commit, async () => begin?.(store));
    const said = forgotten({ texts: done.texts, files: done.files });
    let seq = 0;
    await walkJournal(files, JOURNAL_START, (event) => {
      seq = Math.max(seq, event.seq);
    });
    const time = new Date(ports.clock.now()).toISOString();
    await store.append({ seq: seq + 1, time, type: 'steered', by, action: 'forget', ...kept(said) }, true);
    return { ...done, say: said };
  } finally {
    await store.close();
  }
}

/** Tells whether the journal in a folder is as a program with this key left it; see `isJournalSealed`. */
export async function isOwnJournal(folder: string, sealKey: SealKey): Promise<boolean> {
  return await isJournalSealed(await openDiskFiles(folder), sealKey);
}

/** Returns the id of the search in a folder; undefined if it has none, or one that is not ours. */
export async function readSearchId(folder: string): Promise<string | undefined> {
  // One that is about to begin has no folder yet.
  const files = await openDiskFiles(folder).catch(() => undefined);
  const text = await files?.read(SEARCH_ID).catch(() => undefined);
  return /^([\w-]{16,64})\n?$/.exec(text?.slice(0, 100) ?? '')?.[1];
}

/** Returns who writes a search, or last wrote it; undefined if nobody ever did. */
export async function findHolder(folder: string, clock: Clock): Promise<Holder | undefined> {
  return await readHolder(await openDiskFiles(folder), clock, thisProcess());
}

/** Returns the epoch of the lease by which this process writes a search; undefined if it does not, or not any more. */
export async function ownEpoch(folder: string): Promise<number | undefined> {
  const holder = await findHolder(folder, systemClock);
  const isOurs = holder?.file && !holder.file.released && isThisProcess(holder.file);
  return isOurs ? holder.epoch : undefined;
}

/** Returns the searches in a folder (`thought-trees`), by name; unreadable ones with the reason. */
export async function findSearches(folder: string): Promise<FoundSearch[]> {
  const names = await namesOfFolders(folder);
  const found = await Promise.all(names.map((name) => findSearch(join(folder, name))));
  return found.filter((each) => each !== undefined);
}

/** How the name of a folder begins that becomes a search, or was left behind on the way. */
export const UNFINISHED = '.fork-';

async function namesOfFolders(folder: string): Promise<string[]> {
  try {
    const entries = await (await openDiskFiles(folder)).list('');
    return entries
      .filter(({ name, kind }) => kind === 'folder' && !name.startsWith(UNFINISHED))
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (isThoughtTreeError(error, 'not-found')) return [];
    throw error;
  }
}

/** Returns the search in a folder; undefined if there is none. */
export async function findSearch(folder: string): Promise<FoundSearch | undefined> {
  try {
    const files = await openDiskFiles(folder);
    return { folder, search: await readSearchJson(files), problem: undefined };
  } catch (error) {
    if (isThoughtTreeError(error, 'not-found')) return undefined;
    if (!isThoughtTreeError(error)) throw error;
    const { line } = error.details;
    const problem = { file: 'search.json', ...kept(error.say), ...(line === undefined ? {} : { line }) };
    return { folder, search: undefined, problem };
  }
}

// A search belongs in version control, except for what only runs on this computer need.
async function ignoreOwnFolder(files: Files): Promise<void> {
  await files.makeFolder('.search');
  await files.flush('');
  if (!(await files.stat('.search/.gitignore'))) await files.createExclusive('.search/.gitignore', '*\n');
}

function exists(folder: string): ThoughtTreeError {
  return new ThoughtTreeError('exists', searchExists({ folder }), {
    file: folder,
  });
}
