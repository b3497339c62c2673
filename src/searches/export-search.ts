import { basename } from 'node:path';
import pLimit from 'p-limit';
import type { Format } from '../core/kind/kind-format.ts';
import type { Message } from '../core/messages/message.ts';
import type { ReadStore } from '../core/ports/store.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import type { SearchFile } from '../core/search/search-file.ts';
import { quotedForDot, quotedForMermaid } from '../core/text/graph-text.ts';
import { oneLine } from '../core/text/text.ts';
import { pathOf, type Tree, type TreeNode, walk } from '../core/tree/tree.ts';
import { descriptorOf, type Kind, type Kinds, loadKind } from '../engine/kind.ts';
import * as say from './messages.ts';
import { editorLink } from './place.ts';
import type { SearchOverview } from './reader/search-overview.ts';

/** The format that every search has. */
const JSON_FORMAT = 'json';

/** The languages of other programs in which every search is drawn, unless its kind draws it in its own way. */
const DRAWN: Readonly<Record<string, { readonly ending: string; readonly draw: (tree: Tree) => string }>> = {
  dot: { ending: 'dot', draw: treeDot },
  mermaid: { ending: 'mmd', draw: treeMermaid },
};

/** The formats that searches of any kind have. */
export const COMMON_FORMATS: readonly string[] = [JSON_FORMAT, ...Object.keys(DRAWN)];

/** A search in a format. */
export interface ExportedSearch {
  readonly text: string;
  /** The name of its file. */
  readonly fileName: string;
  /** The notes that a person has to read about it. */
  readonly notes: readonly Message[];
}

/** Returns the formats of a search, the usual one first. */
export function formatsOf(kinds: Kinds, { kind }: { readonly kind: string }): string[] {
  return [...new Set([...(descriptorOf(kinds, kind)?.formats ?? []), ...COMMON_FORMATS])];
}

/**
 * A search as a text in one of its formats; changes nothing.
 * @param workspace the folder that the link to the search is relative to
 * @param named by default the first format of its kind
 * @throws ThoughtTreeError `bad-input` where searches of its kind are not written in that format
 */
export async function exportSearch(
  kinds: Kinds,
  overview: SearchOverview,
  workspace: string,
  named: string | undefined,
): Promise<ExportedSearch> {
  const format = named ?? formatsOf(kinds, overview.file)[0] ?? JSON_FORMAT;
  if (format === JSON_FORMAT) {
    const link = editorLink({ folder: overview.folder, workspace }, '');
    const text = asText({ ...(await searchAsJson(overview)), link });
    return { text, fileName: `${basename(overview.folder)}.json`, notes: [] };
  }
  const drawn = Object.hasOwn(DRAWN, format) ? DRAWN[format] : undefined;
  if (drawn && !descriptorOf(kinds, overview.file.kind)?.formats.includes(format))
    return { text: drawn.draw(overview.tree), fileName: `${basename(overview.folder)}.${drawn.ending}`, notes: [] };
  const { write, fileName, notes } = formatOf(kinds, await loadKind(kinds, overview.file), format);
  const value = await write(overview);
  const text = asText(value);
  return { text, fileName: fileName(value, overview), notes: notes(text) };
}

/** The most nodes that are drawn: programs for it show no more in reasonable time. */
const MOST_DRAWN = 2000;
const LONGEST_LABEL = 120;

/** Returns the nodes of a tree from the top, with a name for each, and the name of what is above it. */
function namedNodes(
  tree: Tree,
): { readonly id: string; readonly above: string | undefined; readonly node: TreeNode }[] {
  const names = new Map<TreeNode, string>();
  for (const node of walk(tree.root)) if (names.size < MOST_DRAWN) names.set(node, `n${names.size}`);
  return [...names].map(([node, id]) => ({ id, above: node.parent && names.get(node.parent), node }));
}

function labelOf({ title, slug, evaluation }: TreeNode): string {
  const score = evaluation === undefined ? '' : ` (${Number(evaluation.score.toFixed(1))})`;
  return `${oneLine(title || slug, LONGEST_LABEL)}${score}`;
}

/** Returns a tree in the language of Graphviz: what is pruned is dashed. */
function treeDot(tree: Tree): string {
  const lines = namedNodes(tree).flatMap(({ id, above, node }) => [
    `  ${id} [label="${quotedForDot(labelOf(node))}"${node.status === 'pruned' ? ', style=dashed' : ''}];`,
    ...(above === undefined ? [] : [`  ${above} -> ${id};`]),
  ]);
  return ['digraph search {', '  rankdir=LR;', '  node [shape=box];', ...lines, '}', ''].join('\n');
}

/** Returns a tree in the language of Mermaid: what is pruned is dashed. */
function treeMermaid(tree: Tree): string {
  const lines = namedNodes(tree).flatMap(({ id, above, node }) => [
    `  ${id}["${quotedForMermaid(labelOf(node))}"]`,
    ...(above === undefined ? [] : [`  ${above} --> ${id}`]),
    ...(node.status === 'pruned' ? [`  style ${id} stroke-dasharray: 4 3`] : []),
  ]);
  return ['flowchart LR', ...lines, ''].join('\n');
}

function asText(value: object | string): string {
  return typeof value === 'string' ? value : `${JSON.stringify(value, undefined, 2)}\n`;
}

function formatOf(kinds: Kinds, { descriptor: own, formats }: Kind, format: string): Format {
  const found = formats.find(({ name }) => name === format);
  if (found) return found;
  const others = kinds
    .filter(({ descriptor }) => descriptor.formats.includes(format))
    .map(({ descriptor }) => `--kind ${descriptor.name}`);
  throw new ThoughtTreeError(
    'bad-input',
    say.otherFormat({ kind: oneLine(own.name, 60), others: others.join(', '), format }),
  );
}

/** Nodes whose files are read at the same time. */
const READS_AT_ONCE = 64;

/** A search that nobody has to run for it. */
interface ReadSearch {
  readonly file: SearchFile;
  readonly tree: Tree;
  readonly store: Pick<
    ReadStore,
    'readNodeFile' | 'readDocument' | 'readDecomposition' | 'readNotes' | 'readReport' | 'readPlan' | 'readImported'
  >;
}

/** Returns a search of any kind as one JSON value: all that its files say, conversations and journal left out. */
export async function searchAsJson({ file, tree, store }: ReadSearch): Promise<object> {
  const [notes, report, decomposition, plan, imported] = [
    await store.readNotes(),
    await store.readReport(),
    await store.readDecomposition(),
    await store.readPlan(),
    await store.readImported(),
  ];
  const nodes = [...walk(tree.root)].filter(({ parent }) => parent !== undefined);
  return {
    search: file,
    notes,
    decomposition,
    plan,
    imported,
    report,
    children: slugsIn(tree.root),
    nodes: await pLimit(READS_AT_ONCE).map(nodes, (node) => nodeAsJson(node, store)),
  };
}

async function nodeAsJson(node: TreeNode, store: ReadSearch['store']): Promise<object> {
  const path = pathOf(node);
  const [file, document] = await Promise.all([store.readNodeFile(path), store.readDocument(path)]);
  return { path, ...file, document, children: node.listed ? slugsIn(node) : undefined };
}

function slugsIn({ children }: TreeNode): string[] {
  return children.map(({ slug }) => slug);
}
