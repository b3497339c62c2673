import type { Model } from '../../core/ports/model.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import type { JournalEvent } from '../../core/search/events.ts';
import { isOddPath, oneLine, withoutCommands } from '../../core/text/text.ts';
import { pathOf, walk } from '../../core/tree/tree.ts';
import { worstCase } from '../../engine/limits.ts';
import { openForReading } from '../../store/open-store.ts';
import { overviewAt } from '../history/past-overview.ts';
import { isFreeModel } from '../models/choose-model.ts';
import type { Place } from '../place.ts';
import { SearchReader } from '../reader/search-reader.ts';
import { ownKey } from '../trust/state-folder.ts';
import type { AgentHost, ToolCall, Wanted } from './agent-host.ts';
import { foundSearches, nameOf, placeNamed } from './find-place.ts';
import { askToAnswer, callCosts, callUnpriced, callWith, noSuchDocument } from './messages.ts';
import { shownTitle } from './safe-text.ts';

type Folders = Pick<AgentHost, 'kinds' | 'folders'>;

/** The most searches and documents in one list, and the longest document, in characters. */
const MOST_SEARCHES = 20;
const MOST_OF_SEARCH = 100;
const MOST_NAMES = 100;
const LONGEST = 1_000_000;

/** A file of a search that clients may read, by the name of the search and its path in it. */
export interface SearchDocument {
  readonly search: string;
  readonly path: string;
  readonly title: string;
}

/** Returns the files of the latest searches: their reports, and the documents of their nodes. */
export async function listDocuments(host: Folders): Promise<SearchDocument[]> {
  const names = (await searchNames(host)).slice(0, MOST_SEARCHES);
  const found = await Promise.all(names.map((search) => documentsOf(host, search).catch(() => [])));
  return found.flat();
}

async function documentsOf(host: Folders, search: string): Promise<SearchDocument[]> {
  const { folder } = await placeNamed(host, search);
  const { tree, reader, file } = await overviewAt(host.kinds, folder);
  const report = reader.hasReport ? [{ search, path: 'report.md', title: shownTitle(file.title) }] : [];
  const documents = [];
  for (const node of walk(tree.root)) {
    if (documents.length === MOST_OF_SEARCH) break;
    if (node.status !== 'expanded' && node.status !== 'leaf') continue;
    if (node.parent) documents.push({ search, path: `${pathOf(node)}/document.md`, title: shownTitle(node.title) });
  }
  return [...report, ...documents];
}

/** Returns the names of all searches, the latest first. */
export async function searchNames(host: Folders): Promise<string[]> {
  const found = await foundSearches(host);
  const begun = found.flatMap(({ folder, search }) =>
    search ? [{ name: nameOf(host, { folder }), at: search.createdAt ?? '' }] : [],
  );
  return begun.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).map(({ name }) => name);
}

/** Returns the paths of a search's files that begin as typed. */
export async function documentPaths(host: Folders, search: string, typed: string): Promise<string[]> {
  const documents = await documentsOf(host, search).catch(() => []);
  const paths = documents.map(({ path }) => path).filter((path) => path.startsWith(typed));
  return paths.slice(0, MOST_NAMES);
}

/**
 * The text of a file of a search: its report, its notes, or a node's document or node.json.
 * @throws ThoughtTreeError `not-found`
 */
export async function readDocument(host: Folders, search: string, path: string): Promise<string> {
  const gone = (): ThoughtTreeError =>
    new ThoughtTreeError('not-found', noSuchDocument({ document: oneLine(`${search}/${path}`, 300) }));
  if (isOddPath(path)) throw gone();
  const { folder } = await placeNamed(host, search);
  const store = await openForReading(folder, ownKey());
  try {
    const text = await textAt(store, path);
    if (text !== undefined) return withoutCommands(text.slice(0, LONGEST));
  } catch (error) {
    if (!isThoughtTreeError(error)) throw error;
  }
  throw gone();
}

async function textAt(store: Awaited<ReturnType<typeof openForReading>>, path: string): Promise<string | undefined> {
  if (path === 'report.md') return await store.readReport();
  if (path === 'notes.md') return await store.readNotes();
  const [, node, name] = /^(.+)\/(document\.md|node\.json)$/.exec(path) ?? [];
  if (node === undefined) return undefined;
  if (name === 'document.md') return await store.readDocument(node);
  const file = await store.readNodeFile(node);
  return file && JSON.stringify(file, undefined, 2);
}

/** Searches that are followed at once: those that clients asked for last. */
const MOST_FOLLOWED = 20;
/** The time for which changes are collected, in milliseconds. */
const PATIENCE_MS = 200;

/** The changed files of a search, by its name and their paths; and whether the list of files is another one now. */
export interface DocumentChange {
  readonly search: string;
  readonly paths: readonly string[];
  readonly isListChanged: boolean;
}

/** Follows the searches that clients asked for, whoever writes them, and tells which of their files changed. */
export class DocumentChanges {
  readonly #folders: Pick<AgentHost, 'folders'>;
  readonly #tell: (change: DocumentChange) => void;
  readonly #followed = new Map<string, SearchReader>();
  readonly #waiting = new Map<string, NodeJS.Timeout>();

  constructor(folders: Pick<AgentHost, 'folders'>, tell: (change: DocumentChange) => void) {
    this.#folders = folders;
    this.#tell = tell;
  }

  /** Follows a search from now on; nothing if there is none of that name. */
  async follow(search: string): Promise<void> {
    if (this.#followed.has(search)) return;
    const place = await placeNamed(this.#folders, search).catch(() => undefined);
    if (place) await this.followPlace(place);
  }

  async followPlace(place: Place): Promise<void> {
    const search = nameOf(this.#folders, place);
    const known = this.#followed.get(search);
    if (known) return this.#look(search, known);
    const reader = new SearchReader(place.folder, place.workspace);
    this.#followed.set(search, reader);
    const [oldest] = this.#followed.keys();
    if (this.#followed.size > MOST_FOLLOWED && oldest !== undefined) this.#forget(oldest);
    await reader.refresh();
    reader.follow(() => this.#look(search, reader));
  }

  /** Several hints in quick succession are one look. */
  #look(search: string, reader: SearchReader): void {
    if (this.#waiting.has(search)) return;
    const timer = setTimeout(() => {
      this.#waiting.delete(search);
      void this.#read(search, reader);
    }, PATIENCE_MS);
    timer.unref();
    this.#waiting.set(search, timer);
  }

  async #read(search: string, reader: SearchReader): Promise<void> {
    const change = changeIn(search, await reader.refresh());
    if (change.paths.length > 0 || change.isListChanged) this.#tell(change);
  }

  #forget(search: string): void {
    this.#followed.get(search)?.close();
    this.#followed.delete(search);
  }

  close(): void {
    for (const search of [...this.#followed.keys()]) this.#forget(search);
    for (const timer of this.#waiting.values()) clearTimeout(timer);
  }
}

function changeIn(search: string, events: readonly JournalEvent[]): DocumentChange {
  const paths = new Set<string>();
  let isListChanged = false;
  for (const event of events) {
    if (event.type === 'search-finished') paths.add('report.md');
    if (event.type === 'search-finished' || event.type.startsWith('node-')) isListChanged = true;
    if (event.type !== 'node-status' && event.type !== 'reconciled') continue;
    if (event.node === '') continue;
    for (const name of ['document.md', 'node.json']) paths.add(`${event.node}/${name}`);
  }
  return { search, paths: [...paths], isListChanged };
}

/** What an answer from the documents of a search needs besides the question. */
interface AskingSearch extends ToolCall {
  readonly openModel: (name: string, place: Place) => Promise<Model>;
  /** Given the answer by whole paragraphs, as they come. */
  readonly tell: (text: string) => void;
}

/** The documents behind an answer: those that it cites, else all that were found. */
interface DocumentAnswer {
  readonly isAnswered: boolean;
  readonly documents: readonly { readonly path: string; readonly title: string; readonly number: number }[];
}

/**
 * Answers a person's question from the documents of a search, by one call of the model that they chose for new ones, if they
 * allow it. It counts in no search's budget, but in the limits over everything.
 * @returns what was found alone where no model is chosen that writes
 * @throws ThoughtTreeError `not-found`, what `permit` throws, and the errors of calls
 */
export async function askSearch(
  host: AgentHost,
  name: string,
  question: string,
  { openModel, tell, ...call }: AskingSearch,
): Promise<DocumentAnswer> {
  const place = await placeNamed(host, name);
  const reader = await SearchReader.read(place);
  const { answerFromDocuments, documentsAbout, questionAbout } = await import('./ask-documents.ts');
  const found = await documentsAbout([reader], question);
  const documents = found.map(({ path, title }, i) => ({ path, title: shownTitle(title), number: i + 1 }));
  const chosen = host.models.usual().model;
  if (documents.length === 0 || chosen === undefined || isFreeModel(chosen)) return { isAnswered: false, documents };
  const shown = await Promise.all(
    documents.map(async ({ path, title }) => {
      const text = await readDocument(host, name, `${path}/document.md`);
      return { title, of: reader.title, text };
    }),
  );
  const model = await openModel(chosen, place);
  try {
    const { usd } = worstCase(questionAbout(shown, question), model);
    const { settle } = await host.permit(wantedFor(model, reader.title, documents.length, usd), call);
    const { throughPurse } = await import('../purse/purse.ts');
    const asking = { question, model: throughPurse(model, place.workspace), signal: call.signal };
    const cited = await answerFromDocuments(shown, asking, tell).finally(() => settle?.(usd ?? 0));
    const behind = cited.flatMap((number) => documents[number - 1] ?? []);
    return { isAnswered: true, documents: behind.length > 0 ? behind : documents };
  } finally {
    await model.close?.();
  }
}

function wantedFor(model: Model, title: string, count: number, usd: number | undefined): Wanted {
  const most = usd === undefined ? callUnpriced() : callCosts({ usd });
  return {
    spends: true,
    removes: false,
    title: shownTitle(title),
    question: askToAnswer({ model: shownTitle(model.label) }).text,
    details: [`${callWith({ count }).text} ${most.text}`],
    mostUsd: usd,
    isPriced: usd !== undefined,
    models: [model.name],
    areModelsOwn: true,
  };
}
