import * as z from 'zod';
import { wrongField } from '../core/messages/wrong-field.ts';
import type { Store } from '../core/ports/store.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import { type ChildrenFile, FORMAT_VERSION, SearchFile } from '../core/search/search-file.ts';
import { NodeFile } from '../core/tree/node-file.ts';
import { joinedPath, nameOf, parentPath } from '../core/tree/slug-path.ts';
import type { Format, IncomingSearch } from '../engine/kind/kind-format.ts';
import { checkNodePath } from '../store/files/node-name.ts';
import * as say from './messages.ts';

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
export const readsJson: NonNullable<Format['reads']> = {
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
  return { file, nodes: nodes.length, writeTo };
}

interface CheckedNode {
  readonly path: string;
  readonly node: NodeFile;
  readonly document: string | undefined;
  readonly children: readonly string[] | undefined;
}

/** The nodes, parents before their children. @throws ThoughtTreeError `damaged` naming the first that has no place */
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

/** A list of children; those that have no node are left out, as they would have no folder. */
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
