import { isUtf8 } from 'node:buffer';
import { mkdtemp, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import type { Format, FormatReader, IncomingSearch, IncomingWishes } from '../core/kind/kind-format.ts';
import type { Message } from '../core/messages/message.ts';
import { wrongField } from '../core/messages/wrong-field.ts';
import type { Store } from '../core/ports/store.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import { type ChildrenFile, FORMAT_VERSION, SearchFile } from '../core/search/search-file.ts';
import { NodeFile } from '../core/tree/node-file.ts';
import { joinedPath, nameOf, parentPath } from '../core/tree/slug.ts';
import { type Kinds, loadKind } from '../engine/kind.ts';
import { checkNodePath } from '../store/files/file-path.ts';
import { toFileError } from '../store/files/files.ts';
import { makeFolders } from '../store/files/folders.ts';
import { parseJson } from '../store/json/json-file.ts';
import { createSearch, openForWriting } from '../store/open-store.ts';
import { systemClock, systemRandom } from '../store/system-ports.ts';
import * as say from './messages.ts';
import { type Place, placeFor, titleFrom } from './place.ts';

const LARGEST_FILE = 256 * 1024 * 1024;

export interface ImportRequest {
  /** The kinds that this program knows; the one whose format the file has reads it. Every kind's JSON is read. */
  readonly kinds: Kinds;
  readonly file: string;
  readonly workspace: string;
  /** The search's folder; by default made from its title. */
  readonly dir?: string | undefined;
  readonly title?: string | undefined;
  /** The folder in the workspace that holds its searches, and the names in it that are taken. */
  readonly searches?: string | undefined;
  readonly taken?: ReadonlySet<string> | undefined;
  /** Stops the import, with its reason; nothing is left behind. */
  readonly signal?: AbortSignal | undefined;
}

interface Imported {
  readonly place: Place;
  readonly nodes: number;
  readonly notes: readonly Message[];
}

/**
 * Makes a search from a snapshot. Its folder appears whole or not at all.
 * @returns its place, its number of nodes, including the root as in the snapshot, and what a person has to know
 * @throws ThoughtTreeError `not-found`, `damaged` saying what is wrong with the snapshot; `exists`, `not-writable`,
 *   `disk-full`
 */
export async function importSnapshot(request: ImportRequest): Promise<Imported> {
  const { workspace, dir, title, searches, taken, signal } = request;
  const formats = await formatsIn(request.kinds);
  const incoming = incomingFrom(await readBytes(request.file), request.file, formats, {
    title,
    titleFrom,
    now: systemClock.now(),
    newId: systemRandom.id,
  });
  const place = placeFor(workspace, incoming.file.title, dir, searches, taken);
  await checkFree(place.folder);
  const parent = dirname(place.folder);
  try {
    await makeFolders(parent);
  } catch (error) {
    throw toFileError(error, parent, 'write');
  }
  // One folder deeper than searches are looked for, so that half a search is not found.
  const building = await mkdtemp(join(parent, '.importing-'));
  try {
    const folder = join(building, 'search');
    await writeSearch(folder, incoming, signal);
    await moveTo(folder, place.folder);
  } finally {
    await rm(building, { recursive: true, force: true, maxRetries: 3 });
  }
  return { place, nodes: incoming.nodes + 1, notes: incoming.notes };
}

/** Returns a search from a file in one of some formats. @throws ThoughtTreeError `damaged` saying what is wrong */
function incomingFrom(bytes: Buffer, file: string, formats: readonly Format[], wishes: IncomingWishes): IncomingSearch {
  const text = bytes.toString('utf8');
  const readers = formats.flatMap(({ reader }) => reader ?? []);
  const asText = readers.find((each) => each.of === 'text' && each.is(text));
  if (asText) {
    checkUtf8(bytes, file);
    return asText.read(text, wishes, file);
  }
  const asValue = readers.filter((each) => each.of === 'json');
  const value = parseJson(text, file);
  // Our own export is looked for first: formats of other programs look less closely.
  const found = [readsJson, ...asValue].find(({ is }) => is(value));
  // A file in no known format is a damaged one of the first format, which says what is missing.
  return (found ?? asValue[0] ?? readsJson).read(value, wishes, file);
}

/** @throws ThoughtTreeError `damaged` naming the first line that is not UTF-8 */
function checkUtf8(bytes: Buffer, file: string): void {
  if (isUtf8(bytes)) return;
  let start = 0;
  for (let line = 1; ; line++) {
    const next = bytes.indexOf(10, start);
    const end = next < 0 ? bytes.length : next;
    if (!isUtf8(bytes.subarray(start, end)) || next < 0)
      throw new ThoughtTreeError('damaged', say.notUtf8({ file, line: String(line) }), { file, line });
    start = next + 1;
  }
}

/** All formats of kinds that can be read. */
async function formatsIn(kinds: Kinds): Promise<Format[]> {
  const named = kinds.filter(({ descriptor }) => descriptor.formats.length > 0);
  const loaded = await Promise.all(named.map(({ descriptor }) => loadKind(kinds, { kind: descriptor.name })));
  return loaded.flatMap(({ formats }) => formats.filter(({ reader }) => reader));
}

async function readBytes(file: string): Promise<Buffer> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new ThoughtTreeError('not-found', say.noFile({ file }));
  if (found.size > LARGEST_FILE)
    throw new ThoughtTreeError('damaged', say.fileTooLarge({ file, megabytes: LARGEST_FILE / 1024 / 1024 }));
  return await readFile(file);
}

/** An empty folder may already exist. */
async function checkFree(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw toFileError(error, folder, 'read');
  });
  if (entries.length > 0) throw taken(folder);
}

async function moveTo(from: string, to: string): Promise<void> {
  try {
    await rmdir(to).catch(() => undefined); // removes an empty folder; any other stays, and the rename fails
    await rename(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ENOTEMPTY' || code === 'EEXIST' ? taken(to) : toFileError(error, to, 'write');
  }
}

function taken(folder: string): ThoughtTreeError {
  return new ThoughtTreeError('exists', say.placeTaken({ folder }));
}

async function writeSearch(folder: string, incoming: IncomingSearch, signal: AbortSignal | undefined): Promise<void> {
  await createSearch(folder, incoming.file);
  const store = await openForWriting(folder, { clock: systemClock, random: systemRandom });
  try {
    await incoming.writeTo(store, signal);
  } finally {
    await store.close();
  }
}

const LONGEST_DOCUMENT = 1_000_000;
const LONGEST_TEXT = 10_000_000;

const slugs = z.array(z.string().min(1).max(255)).max(100_000);

const ExportedNode = z.looseObject({
  path: z.string().min(1).max(10_000),
  document: z.string().max(LONGEST_DOCUMENT).optional(),
  children: slugs.optional(),
});
type ExportedNode = z.infer<typeof ExportedNode>;

/** A file that `searchAsJson` wrote, from anybody. */
const ExportedSearch = z.looseObject({
  search: SearchFile,
  notes: z.string().max(LONGEST_TEXT).optional(),
  report: z.string().max(LONGEST_TEXT).optional(),
  plan: z.string().max(LONGEST_TEXT).optional(),
  imported: z.string().max(LONGEST_TEXT).optional(),
  decomposition: z.record(z.string(), z.unknown()).optional(),
  children: slugs.optional(),
  nodes: z.array(ExportedNode).max(1_000_000),
});
type ExportedSearch = z.infer<typeof ExportedSearch>;

/** The way back of `searchAsJson`, for searches of every kind. */
const readsJson: FormatReader = {
  of: 'json',
  is: (value) =>
    typeof value === 'object' && value !== null && 'search' in value && 'nodes' in value && isList(value.nodes),
  read: (value, { title }) => {
    const exported = checked(value);
    const file = { ...exported.search, ...(title === undefined ? {} : { title }) };
    return incoming(exported, file);
  },
};

function isList(value: unknown): boolean {
  return Array.isArray(value);
}

/** @throws ThoughtTreeError `damaged`, `newer-version` */
function checked(value: unknown): ExportedSearch {
  const read = ExportedSearch.safeParse(value);
  if (!read.success) throw damaged(wrongField(read.error));
  const { version } = read.data.search;
  if (version > FORMAT_VERSION)
    throw new ThoughtTreeError('newer-version', say.newerExport({ version, known: FORMAT_VERSION }));
  return read.data;
}

function damaged(why: Parameters<typeof say.damagedExport>[0]['why']): ThoughtTreeError {
  return new ThoughtTreeError('damaged', say.damagedExport({ why }));
}

function incoming(exported: ExportedSearch, file: SearchFile): IncomingSearch {
  const nodes = inOrder(exported.nodes);
  const titles = new Map(nodes.map(({ path, node }) => [path, node.title]));
  const first = listOf('', exported.children, titles);
  const lists = new Map(nodes.map(({ path, children }) => [path, listOf(path, children, titles)]));
  const writeTo = async (store: Store, signal?: AbortSignal): Promise<void> => {
    await writeTexts(exported, store);
    for (const { path, node, document } of nodes) {
      signal?.throwIfAborted();
      await store.writeNode(path, node);
      if (document !== undefined) await store.writeDocument(path, document);
      const list = lists.get(path);
      if (list) await store.writeChildren(path, list);
    }
    if (first) await store.writeChildren('', first);
  };
  return { file, nodes: nodes.length, notes: [], writeTo };
}

interface CheckedNode {
  readonly path: string;
  readonly node: NodeFile;
  readonly document: string | undefined;
  readonly children: readonly string[] | undefined;
}

/**
 * Returns the nodes, parents before their children. @throws ThoughtTreeError `damaged` naming the first that has no
 * place
 */
function inOrder(exported: readonly ExportedNode[]): CheckedNode[] {
  const paths = new Map<string, string>();
  for (const { path } of exported) {
    if (!isPath(path)) throw damaged(say.noSuchPlace({ node: path.slice(0, 200) }));
    // File systems that ignore case would mix two nodes up.
    const folded = path.toLowerCase();
    if (paths.has(folded)) throw damaged(say.nodeTwice({ node: path }));
    paths.set(folded, path);
  }
  for (const { path } of exported) {
    const parent = parentPath(path);
    if (parent === '') continue;
    const known = paths.get(parent.toLowerCase());
    if (known === undefined) throw damaged(say.nodeAlone({ node: path }));
    // One folder or two, which depends on the file system.
    if (known !== parent) throw damaged(say.parentInOtherCase({ node: path, parent: known }));
  }
  const depth = ({ path }: ExportedNode): number => path.split('/').length;
  return exported
    .toSorted((a, b) => depth(a) - depth(b))
    .map(({ path, document, children, ...node }) => {
      const file = NodeFile.parse({ ...node, slug: nameOf(path) });
      return { path, document, children, node: file };
    });
}

function isPath(path: string): boolean {
  try {
    checkNodePath(path);
    return true;
  } catch {
    return false;
  }
}

/** Returns a list of children; those that have no node are left out, as they would have no folder. */
function listOf(
  path: string,
  children: readonly string[] | undefined,
  titles: ReadonlyMap<string, string>,
): ChildrenFile | undefined {
  return children?.flatMap((slug) => {
    const title = titles.get(joinedPath(path, slug));
    return title === undefined ? [] : [{ title, slug }];
  });
}

async function writeTexts(
  { notes, report, plan, imported, decomposition }: ExportedSearch,
  store: Store,
): Promise<void> {
  if (notes !== undefined) await store.writeNotes(notes);
  if (plan !== undefined) await store.writePlan(plan);
  if (imported !== undefined) await store.writeImported(imported);
  if (decomposition !== undefined) await store.writeDecomposition(decomposition);
  if (report !== undefined) await store.writeReport(report);
}
