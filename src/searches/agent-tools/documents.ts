import { isThoughtTreeError, ThoughtTreeError } from '../../core/search/errors.ts';
import { isOddPath, oneLine, withoutCommands } from '../../core/text/text.ts';
import { pathOf, walk } from '../../core/tree/tree.ts';
import { openForReading } from '../../store/open-store.ts';
import { overviewOf } from '../reader/search-overview.ts';
import { ownKey } from '../trust/own-key.ts';
import type { AgentHost } from './agent-host.ts';
import { foundSearches, nameOf, placeNamed } from './find-place.ts';
import { noSuchDocument } from './messages.ts';
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

/** The files of the latest searches: their reports, and the documents of their nodes. */
export async function listDocuments(host: Folders): Promise<SearchDocument[]> {
  const names = (await searchNames(host)).slice(0, MOST_SEARCHES);
  const found = await Promise.all(names.map((search) => documentsOf(host, search).catch(() => [])));
  return found.flat();
}

async function documentsOf(host: Folders, search: string): Promise<SearchDocument[]> {
  const { folder } = await placeNamed(host, search);
  const { tree, reader, file } = await overviewOf(host.kinds, folder);
  const report = reader.hasReport ? [{ search, path: 'report.md', title: shownTitle(file.title) }] : [];
  const documents = [];
  for (const node of walk(tree.root)) {
    if (documents.length === MOST_OF_SEARCH) break;
    if (node.status !== 'expanded' && node.status !== 'leaf') continue;
    if (node.parent) documents.push({ search, path: `${pathOf(node)}/document.md`, title: shownTitle(node.title) });
  }
  return [...report, ...documents];
}

/** The names of all searches, the latest first. */
export async function searchNames(host: Folders): Promise<string[]> {
  const found = await foundSearches(host);
  const begun = found.flatMap(({ folder, search }) =>
    search ? [{ name: nameOf(host, { folder }), at: search.createdAt ?? '' }] : [],
  );
  return begun.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).map(({ name }) => name);
}

/** The paths of a search's files that begin as typed. */
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
