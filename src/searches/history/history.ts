import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Message } from '../../core/messages/message.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { type ForkedFrom, type JournalEvent, KeptTranscript } from '../../core/search/events.ts';
import { DEFAULT_SPEND_LIMITS, type Limits, type SpendLimits } from '../../core/search/limits.ts';
import { SearchRecord } from '../../core/search/record/search-record.ts';
import { SearchFile, withoutMissing } from '../../core/search/search-file.ts';
import { descriptorOf, type Kinds, loadKind, optionsOf } from '../../engine/kind.ts';
import { openDiskFiles } from '../../store/files/disk/disk-files.ts';
import type { Files, ReadFiles } from '../../store/files/files.ts';
import { makeFolders } from '../../store/files/folders.ts';
import { replaceFile } from '../../store/files/replace-file.ts';
import { JOURNAL, JOURNAL_START, walkJournal } from '../../store/journal/journal-reader.ts';
import { sealJournal } from '../../store/journal/journal-seal.ts';
import { stringifyJson } from '../../store/json/json-file.ts';
import { readSearchJson, searchText } from '../../store/json/search-json.ts';
import type { Forgetting, Forgotten } from '../../store/objects/forget.ts';
import { TextKeeper } from '../../store/objects/kept-texts.ts';
import { findSearch, forget as forgetIn, isOwnJournal, openForReading, UNFINISHED } from '../../store/open-store.ts';
import { MOMENTS, MOST_NAMES, MomentName, momentIn, momentNames } from '../../store/past/moment.ts';
import { PastFiles } from '../../store/past/past-files.ts';
import { CALLS, CONVERSATIONS, INTERIM, SEARCH_ID } from '../../store/store-paths.ts';
import { systemClock, systemRandom, textHash } from '../../store/system-ports.ts';
import { type Place, placeFor, SEARCHES } from '../place.ts';
import { findNode } from '../reader/find-node.ts';
import { holdToForget } from '../trust/own-search.ts';
import { realPath, recallUse, writeUse } from '../trust/search-use.ts';
import { ownKey } from '../trust/state-folder.ts';
import * as say from './messages.ts';
import { readLog } from './past-overview.ts';
import { type Cause, whyOf } from './why.ts';

/**
 * Names the moment of a search: the present one, unless its path has another.
 * @returns the number of its event
 */
async function nameMoment(folder: string, name: string): Promise<number> {
  if (!MomentName.safeParse(name).success)
    throw new ThoughtTreeError('bad-input', say.noName({ name: name.slice(0, 100) }));
  const base = momentIn(folder)?.folder ?? folder;
  const store = await openForReading(folder);
  const seq = store.at?.seq ?? (await store.readJournal()).at(-1)?.seq;
  if (seq === undefined) throw new ThoughtTreeError('bad-input', say.nothingYet());
  const files = await openDiskFiles(base);
  const names = new Map(await momentNames(files));
  names.delete(name);
  names.set(name, seq);
  if (names.size > MOST_NAMES) throw new ThoughtTreeError('bad-input', say.tooManyNames({ most: MOST_NAMES }));
  await replaceFile(join(base, MOMENTS), `${JSON.stringify(Object.fromEntries(names), undefined, 2)}\n`);
  return seq;
}

async function forget(folder: string, what: Forgetting, by: string): Promise<Forgotten & { readonly say: Message }> {
  const ports = { clock: systemClock, random: systemRandom, sealKey: ownKey() };
  return await forgetIn(folder, what, by, ports, (store) => holdToForget(store, folder));
}

/** What is known of why a node is there, and as it is. */
interface Why {
  readonly title: string;
  readonly causes: readonly Cause[];
  /** What its document quotes: file and lines, and what a check of them found. */
  readonly quotations: readonly string[];
}

/** @param named slug path, path on disk or title of the node */
async function why(kinds: Kinds, folder: string, named: string): Promise<Why & { readonly path: string }> {
  const path = await findNode(folder, named);
  const store = await openForReading(folder);
  const file = path === '' ? undefined : await store.readNodeFile(path);
  const { kind, title } = await store.readSearch();
  const causes = whyOf(await store.readJournal(), path, descriptorOf(kinds, kind)?.purposes);
  return { path, title: file?.title ?? title, causes, quotations: file?.quotations ?? [] };
}

/** What is known of a search's past, and what is to be known of it. */
export const history = { why, readLog, nameMoment, forget, fork: forkSearch };

/** What a fork has of its own. */
export interface Forking {
  readonly kinds: Kinds;
  readonly title?: string | undefined;
  /** A folder for it that somebody named. */
  readonly dir?: string | undefined;
  /** The folder in the workspace that holds its searches, if not the usual one. */
  readonly searches?: string | undefined;
  readonly strategy?: string | undefined;
  readonly model?: string | undefined;
  /** Its own limits of spending; the usual ones by default. */
  readonly guards?: SpendLimits | undefined;
  readonly by: string;
}

/**
 * Makes a search of its own of one as it was at a moment. It is made beside its place and moved there, so that it is whole or
 * not there; nothing changes in its origin.
 * @param from the search, with a moment in its path or as it is now
 * @throws ThoughtTreeError `not-found`, `bad-input`, `exists`
 */
export async function forkSearch(from: Place, forking: Forking): Promise<{ place: Place; from: ForkedFrom }> {
  const { folder = from.folder, moment } = momentIn(from.folder) ?? {};
  const real = await openDiskFiles(folder);
  const last = await lastEvent(real);
  if (last === undefined) throw new ThoughtTreeError('bad-input', say.nothingYet());
  const past = await PastFiles.open(real, moment ?? String(last), systemClock.now());
  const forkedFrom = { search: basename(folder), event: past.at.seq, time: past.at.time };
  const file = await fileOf(past, forkedFrom, forking);
  const place = placeFor(
    from.workspace,
    file.title,
    forking.dir,
    forking.searches,
    await namesBeside(from.workspace, forking),
  );
  if (await findSearch(place.folder)) throw new ThoughtTreeError('exists', say.forkExists({ folder: place.folder }));
  const made = join(dirname(place.folder), `${UNFINISHED}${systemRandom.id()}`);
  await makeFolders(made);
  try {
    const files = await openDiskFiles(made);
    const use = await recallUse(folder);
    const id = systemRandom.id();
    await writeFork(files, past, { file, forkedFrom, guards: forking.guards, by: forking.by });
    const key = ownKey();
    // What this user's programs wrote here is as trustworthy in the fork.
    const isOwn = use.here !== undefined && key !== undefined && (await isOwnJournal(folder, key));
    const seal = isOwn ? await sealJournal(files, key, {}) : undefined;
    if (isOwn) {
      await files.writeAtomic(SEARCH_ID, `${id}\n`);
    }
    await files.settle();
    if (isOwn && use.here) {
      // What was made before the fork is told by the search that it is from.
      const { spend: _spend, limits: _limits, isBegun: _begun, worth: _worth, ...known } = use.here;
      writeUse(id, {
        ...known,
        ...withoutMissing({ model: forking.model }),
        ...(seal && { sealed: { ...seal, isOpen: false } }),
        path: join(await realPath(dirname(place.folder)), basename(place.folder)),
      });
    }
    await rename(made, place.folder);
    await (await openDiskFiles(dirname(place.folder))).flush('');
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    throw error;
  }
  return { place, from: forkedFrom };
}

async function lastEvent(files: ReadFiles): Promise<number | undefined> {
  let last: number | undefined;
  await walkJournal(files, JOURNAL_START, ({ seq }) => {
    last = seq;
  });
  return last;
}

async function namesBeside(workspace: string, { dir, searches = SEARCHES }: Forking): Promise<ReadonlySet<string>> {
  if (dir !== undefined) return new Set();
  const files = await openDiskFiles(join(workspace, searches)).catch(() => undefined);
  return new Set((await files?.list(''))?.map(({ name }) => name));
}

/** search.json of the fork, checked by its kind. */
async function fileOf(
  past: ReadFiles,
  forkedFrom: ForkedFrom,
  { kinds, title, strategy, model }: Forking,
): Promise<SearchFile> {
  const before = await readSearchJson(past);
  if (descriptorOf(kinds, before.kind)?.work) throw new ThoughtTreeError('bad-input', say.forkOfWork());
  const name = title ?? say.forkTitle({ title: before.title, event: forkedFrom.event }).text;
  const file = SearchFile.parse({
    ...before,
    title: name,
    createdAt: new Date(systemClock.now()).toISOString(),
    ...withoutMissing({ strategy, model }),
    forkedFrom,
  });
  const kind = await loadKind(kinds, file);
  if (strategy === undefined) return file;
  const begun = kind.begin({ prompt: file.prompt, options: optionsOf(kind, file), strategy, findHooks: undefined });
  return { ...file, ...begun };
}

interface Written {
  readonly file: SearchFile;
  readonly forkedFrom: ForkedFrom;
  readonly guards: SpendLimits | undefined;
  readonly by: string;
}

/** Writes all files of a fork, its search.json last. */
export async function writeFork(
  files: Files,
  past: PastFiles,
  { file, forkedFrom, guards, by }: Written,
): Promise<void> {
  for (const folder of ['.search', CONVERSATIONS, CALLS]) await files.makeFolder(folder);
  await files.writeAtomic('.search/.gitignore', '*\n');
  const text = searchText(file);
  const journal = await readEvents(past);
  const keeper = new TextKeeper(files, {});
  const limits = limitsOf(journal, file, guards);
  const time = new Date(systemClock.now()).toISOString();
  const own = [
    { type: 'forked', from: forkedFrom },
    { type: 'budget-changed', by, limits },
    { type: 'text-written', file: 'search.json', text: await keeper.keepNew(text) },
  ].map((event, index) => JSON.stringify({ seq: past.at.seq + 1 + index, time, ...event }));
  await files.writeAtomic(JOURNAL, journalText(past, own));
  await copyTexts(past, journal, keeper);
  await copyWords(files, past, journal);
  await copyTree(files, past, '');
  const report = await past.read('report.md').catch(() => undefined);
  const interim = (await past.readToday(INTERIM))?.trim();
  if (report !== undefined && interim === textHash(report)) await files.writeAtomic(INTERIM, `${interim}\n`);
  await keeper.idle();
  await files.writeAtomic('search.json', text);
}

async function readEvents(past: ReadFiles): Promise<JournalEvent[]> {
  const events: JournalEvent[] = [];
  await walkJournal(past, JOURNAL_START, (event) => void events.push(event));
  return events;
}

const PIECE = 1024 * 1024;

async function* journalText(past: ReadFiles, own: readonly string[]): AsyncGenerator<string> {
  const { size } = (await past.stat(JOURNAL)) ?? { size: 0 };
  // Pieces may end within a character.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for (let at = 0; at < size; at += PIECE)
    yield decoder.decode(await past.readBytes(JOURNAL, at, PIECE), { stream: true });
  yield `${decoder.decode()}${own.join('\n')}\n`;
}

function limitsOf(journal: readonly JournalEvent[], { options }: SearchFile, guards: SpendLimits | undefined): Limits {
  const { limits } = SearchRecord.of(journal);
  return {
    size: limits?.size ?? options.size ?? 'medium',
    maxDepth: limits?.maxDepth ?? options.maxDepth ?? 4,
    guards: { ...DEFAULT_SPEND_LIMITS, ...guards },
  };
}

/** Keeps the texts that the journal names, so that the fork has a past, too. */
async function copyTexts(past: PastFiles, journal: readonly JournalEvent[], keeper: TextKeeper): Promise<void> {
  const hashes = new Set<string>();
  for (const event of journal) {
    if (event.type === 'node-status' && event.document !== undefined) hashes.add(event.document);
    if (event.type === 'text-written' && event.text !== undefined) hashes.add(event.text);
    if (event.type === 'node-added')
      for (const { document } of event.children) if (document !== undefined) hashes.add(document);
  }
  for (const hash of hashes) {
    const kept = await past.texts.read(hash);
    if (kept instanceof Uint8Array) await keeper.keep(kept, false);
  }
}

/** Copies the conversations up to the last turn that the journal tells of, and the words of calls. */
async function copyWords(files: Files, past: PastFiles, journal: readonly JournalEvent[]): Promise<void> {
  const turns = new Map<string, number>();
  const know = (conversation: string, count: number): void => {
    turns.set(conversation, Math.max(turns.get(conversation) ?? 0, count));
  };
  for (const event of journal) {
    if (event.type !== 'call-ended') continue;
    const call = await past.read(`${CALLS}/${event.call}.json`).catch(() => undefined);
    if (call !== undefined) await files.writeAtomic(`${CALLS}/${event.call}.json`, call);
    const kept = KeptTranscript.safeParse(event.kept).data;
    if (!kept) continue;
    know(kept.conversation, kept.turn + 1);
    for (const { conversation, turns: count } of kept.after ?? []) know(conversation, count);
  }
  for (const [conversation, count] of turns) {
    const path = `${CONVERSATIONS}/${conversation}.json`;
    const text = await past.read(path).catch(() => undefined);
    if (text === undefined) continue;
    const whole = JSON.parse(text) as { turns: unknown[] };
    await files.writeAtomic(path, stringifyJson({ ...whole, turns: whole.turns.slice(0, count) }));
  }
}

async function copyTree(files: Files, past: ReadFiles, folder: string): Promise<void> {
  for (const { name, kind } of await past.list(folder)) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (path === 'search.json' || path === '.search') continue;
    if (kind === 'folder') {
      await files.makeFolder(path);
      await copyTree(files, past, path);
    } else {
      // A text that nobody kept ends the fork: without it, it would be made and paid for again.
      const text = await past.read(path);
      if (text !== undefined) await files.writeAtomic(path, text);
    }
  }
}
