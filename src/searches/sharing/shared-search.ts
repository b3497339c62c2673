import type { KindFace } from '../../core/kind/kind-face.ts';
import { parseDocument } from '../../core/text/document.ts';
import { oneLine } from '../../core/text/text.ts';
import { nodeAt, pathOf, type TreeNode, walk } from '../../core/tree/tree.ts';
import { faceOf, type Kinds } from '../../engine/kind/kinds.ts';
import { hasDocument } from '../../engine/report/link-target.ts';
import { visibleText } from '../../engine/report/safe-markdown.ts';
import type { Show } from '../graph/graph-of-search.ts';
import { folderInWorkspace } from '../place.ts';
import { answerOf } from '../reader/answer-of.ts';
import { outlineNodes } from '../reader/outline-nodes.ts';
import type { SearchOverview } from '../reader/search-overview.ts';
import { bestPathOf } from './best-path-of.ts';
import { Discreet } from './discreet.ts';
import { SharedLinks } from './shared-links.ts';

/** The most of a search that is shared. */
export interface Bounds {
  readonly nodes: number;
  /** All documents together, and one of them, in characters. */
  readonly characters: number;
  readonly document: number;
  readonly report: number;
}

/** A node as it is shared. */
export interface SharedNode {
  readonly node: TreeNode;
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  /** The number of children that are left out. */
  readonly hidden: number;
  /** Its document without front matter; undefined if it has none, or there is no room for it. */
  readonly body?: string;
  /** The body is only the beginning of the document. */
  readonly isCut?: boolean;
}

/** The shared parts of a search: without secrets, within bounds, the best path first. */
export interface SharedSearch {
  readonly overview: SearchOverview;
  /** Its folder relative to the workspace. */
  readonly folder: string;
  readonly title: string;
  readonly question: string;
  /** The answer of a search for a solution. */
  readonly answer: string | undefined;
  readonly report: string | undefined;
  readonly isReportCut: boolean;
  /** Parents before their children, in the order of the tree. */
  readonly nodes: readonly SharedNode[];
  readonly best: ReadonlySet<string>;
  readonly links: SharedLinks;
  /** The numbers of nodes and documents there are, and of documents that are here. */
  readonly all: { readonly nodes: number; readonly documents: number };
  readonly documents: number;
  readonly secrets: number;
  readonly show: Show;
  /** Undefined for an unknown kind. */
  readonly face: KindFace | undefined;
}

const LONGEST_TITLE = 200;
const LONGEST_SUMMARY = 600;
const LONGEST_QUESTION = 20_000;

/** The parts besides a search that reading it for other people takes. */
interface SharedParts {
  readonly kinds: Kinds;
  readonly workspace: string;
  readonly show: Show;
  readonly bounds: Bounds;
  /** The branch that is shared; by default the whole search. */
  readonly top?: TreeNode | undefined;
}

/** Reads what is to be shared of a search, or of one branch. */
export async function sharedSearch(
  overview: SearchOverview,
  { kinds, workspace, show, bounds, top }: SharedParts,
): Promise<SharedSearch> {
  const { tree, file, folder: at, store } = overview;
  const folder = folderInWorkspace({ folder: at, workspace });
  const discreet = new Discreet();
  const root = top ?? tree.root;
  const best = bestPathOf(overview);
  const [title = '', answer = ''] = await discreet.lines([oneLine(file.title, LONGEST_TITLE), answerText(overview)]);
  const question = await discreet.text(visibleText(file.prompt).slice(0, LONGEST_QUESTION).trim());
  const report = top ? undefined : await store.readReport();
  const shownReport = report && (await discreet.text(visibleText(report).slice(0, bounds.report)));
  const wanted = best.flatMap((path) => nodeAt(tree, path) ?? []);
  const below = outlineNodes(tree, bounds.nodes, inBranch(wanted, root), root).filter(({ node }) => node !== top);
  const chosen = top ? [{ node: top, hidden: 0 }, ...below] : below;
  const read = await readNodes(chosen, new Set(best), { overview, discreet, bounds });
  const all = top ? [...walk(top)] : [...walk(tree.root)].filter(({ parent }) => parent);
  return {
    overview,
    folder,
    title,
    question,
    answer: answer === '' ? undefined : answer,
    report: shownReport,
    isReportCut: (report?.length ?? 0) > bounds.report,
    nodes: read.nodes,
    best: new Set(best),
    links: new SharedLinks(tree, folder),
    all: { nodes: all.length, documents: all.filter(hasDocument).length },
    documents: read.documents,
    secrets: discreet.secrets,
    show,
    face: faceOf(kinds, file.kind),
  };
}

function answerText(overview: SearchOverview): string {
  const answer = answerOf(overview);
  return typeof answer === 'object' ? oneLine(answer.text, 5000) : '';
}

function inBranch(nodes: readonly TreeNode[], root: TreeNode): TreeNode[] {
  const branch = root.parent ? `${pathOf(root)}/` : '';
  return nodes.filter((node) => node !== root && pathOf(node).startsWith(branch));
}

interface Reading {
  readonly overview: SearchOverview;
  readonly discreet: Discreet;
  readonly bounds: Bounds;
}

async function readNodes(
  chosen: readonly { readonly node: TreeNode; readonly hidden: number }[],
  best: ReadonlySet<string>,
  { overview, discreet, bounds }: Reading,
): Promise<{ nodes: SharedNode[]; documents: number }> {
  const titles = await discreet.lines(chosen.map(({ node }) => oneLine(node.title, LONGEST_TITLE)));
  const summaries = await discreet.lines(chosen.map(({ node }) => oneLine(node.summary ?? '', LONGEST_SUMMARY)));
  const nodes = chosen.map(({ node, hidden }, i): SharedNode => {
    return { node, hidden, path: pathOf(node), title: titles[i] || node.slug, summary: summaries[i] ?? '' };
  });
  const bodies = new Map<string, Pick<SharedNode, 'body' | 'isCut'>>();
  let room = bounds.characters;
  for (const { node, path } of nodes.toSorted(nearestFirst(best))) {
    if (room <= 0) break;
    const document = hasDocument(node) ? await overview.store.readDocument(path) : undefined;
    if (document === undefined) continue;
    const body = bodyOf(document);
    const shown = await discreet.text(visibleText(body.slice(0, bounds.document)));
    room -= shown.length;
    // The last one would not fit as a whole.
    if (room < 0 && bodies.size > 0) break;
    bodies.set(path, { body: shown, ...(body.length > bounds.document ? { isCut: true } : {}) });
  }
  return { nodes: nodes.map((node) => ({ ...node, ...bodies.get(node.path) })), documents: bodies.size };
}

/** The best path, then level by level. */
function nearestFirst(best: ReadonlySet<string>): (a: SharedNode, b: SharedNode) => number {
  return (a, b) => Number(best.has(b.path)) - Number(best.has(a.path)) || a.node.depth - b.node.depth;
}

function bodyOf(document: string): string {
  try {
    return parseDocument(document).body;
  } catch {
    return document; // a person's front matter need not be valid
  }
}
