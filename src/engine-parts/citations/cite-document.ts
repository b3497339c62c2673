import type { CheckedCitation, CitationCounts } from '../../core/citations/citation.ts';
import { countsIn, entryOf, marksOf, type NodeMarks, recordsIn } from '../../core/citations/citation-marks.ts';
import { SerialQueue } from '../../core/concurrency.ts';
import { isThoughtTreeError } from '../../core/search/errors.ts';
import { type CheckedDocument, parseDocument } from '../../core/text/document.ts';
import { nodeAt, pathOf, type TreeNode, walk } from '../../core/tree/tree.ts';
import type { SearchContext } from '../../engine/context.ts';
import { citationsChecked } from '../../engine/messages.ts';
import { whatChanged } from '../../engine/reconcile.ts';
import { editedDocument } from '../transcripts/edited-document.ts';
import { checkCitations } from './check-citations.ts';
import { inertDocument } from './inert-markdown.ts';
import { type MarkedDocument, markDocument } from './mark-document.ts';

/** Returns a node's folder relative to the workspace folder, with `/`. */
export function folderOf(ctx: Pick<SearchContext, 'folder'>, node: TreeNode): string {
  return [ctx.folder, pathOf(node)].filter((part) => part !== '').join('/');
}

/**
 * Returns a model's document with its citations checked and marked, in which nothing is loaded or run when it is shown.
 */
export async function citedDocument(
  ctx: Pick<SearchContext, 'folder' | 'workspaceText'>,
  node: TreeNode,
  document: CheckedDocument,
): Promise<MarkedDocument> {
  const folder = folderOf(ctx, node);
  // If a document cannot be checked, it has no marks; nothing else is lost.
  const marked = await markDocument(ctx.workspaceText, folder, document).catch(() =>
    markDocument(undefined, folder, document),
  );
  return { ...marked, text: inertDocument(marked.text) };
}

/**
 * The marks of a document that is on disk already, as after a kill right behind it: node.json gets them with the node's final
 * status. The check is made again; without a workspace, or of a text that is a person's, its front matter counts.
 */
export async function standingMarks(
  ctx: Pick<SearchContext, 'folder' | 'workspaceText'>,
  node: TreeNode,
  document: string,
  isModels: boolean,
): Promise<NodeMarks> {
  try {
    const { data, body } = parseDocument(document);
    const records = recordsIn(node.file?.quotations);
    const checked = isModels && ctx.workspaceText ? await checkCitations(ctx.workspaceText, body, records) : [];
    const said = { citations: countsIn(data), quotations: records.length > 0 ? records.map(entryOf) : undefined };
    return checked.length > 0 ? marksOf(checked) : said;
  } catch {
    return { citations: undefined, quotations: undefined }; // a person's front matter need not be valid
  }
}

/** Rechecks of quotations after files have changed, one after the other. */
export class Rechecks {
  readonly #ctx: SearchContext;
  readonly #apart: Apart;
  readonly #end = new AbortController();
  /** By path, those that have not begun: they will see the current files. */
  readonly #waiting = new Map<string, Promise<number>>();
  readonly #wasRun: boolean;
  readonly #queue = new SerialQueue();
  #earlier: Promise<void> | undefined;

  constructor(ctx: SearchContext, apart: Apart) {
    this.#ctx = ctx;
    this.#apart = apart;
    this.#wasRun = ctx.history.past.hasBegun;
  }

  /** @returns the number of nodes whose marks changed */
  check(path: string): Promise<number> {
    const waiting = this.#waiting.get(path);
    if (waiting) return waiting;
    const done = this.#queue.run(async () => {
      this.#waiting.delete(path);
      return (await recheckCitations(this.#ctx, path, this.#apart, this.#end.signal)).length;
    });
    this.#waiting.set(path, done);
    return done;
  }

  /**
   * Checks citations of earlier runs against the files as they are now: once, and apart from all but commits, so that
   * an action's report can wait for it. A file that cannot be read or written is reported by whoever needs it.
   */
  sinceEarlier(): Promise<void> {
    this.#earlier ??= this.#wasRun ? this.#checkAll() : Promise.resolve();
    return this.#earlier;
  }

  async #checkAll(): Promise<void> {
    const { gate } = this.#ctx;
    await recheckCitations(this.#ctx, '', (work) => gate.alone(work), this.#end.signal).catch(() => []);
  }

  /** Ends the one under way before it writes again, and those that wait. */
  stop(): void {
    this.#end.abort();
  }
}

/** Does something while nothing else changes the tree or its files. */
type Apart = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Rechecks the quotations in the documents of a branch after files of the workspace have changed: a quotation that is no
 * longer in its file becomes *stale*. Changed marks and links are rewritten, except in documents that a person edited:
 * there, only the node's counts change.
 * @param path slug path of the branch; empty for the whole search
 * @param apart runs the writes: reading files may take long, and must not hold anything up
 * @returns the nodes whose counts changed
 */
async function recheckCitations(
  ctx: SearchContext,
  path: string,
  apart: Apart,
  signal: AbortSignal,
): Promise<TreeNode[]> {
  const top = nodeAt(ctx.tree, path);
  if (!top || !ctx.workspaceText) return [];
  const changed: TreeNode[] = [];
  for (const node of [...walk(top)]) {
    if (signal.aborted) break;
    if (isToCheck(ctx, node) && (await recheckNode(ctx, node, apart, signal))) changed.push(node);
  }
  return changed;
}

function isToCheck(ctx: SearchContext, node: TreeNode): boolean {
  const isThere = node.parent !== undefined && ctx.tree.get(node.id) === node;
  return isThere && node.citations !== undefined && !ctx.nodes.isUnderWay(node);
}

/** A document's marks as they are now, and what was known of them. */
interface Rechecked {
  readonly marked: MarkedDocument;
  readonly marks: NodeMarks;
  /** True if any mark differs from what its node says. */
  readonly isNews: boolean;
  /** True if its text has to change: without news, the form of its front matter does not matter. */
  readonly isChanged: boolean;
}

async function recheckNode(ctx: SearchContext, node: TreeNode, apart: Apart, signal: AbortSignal): Promise<boolean> {
  const standing = await ctx.store.readDocument(pathOf(node));
  const found = standing === undefined ? undefined : await checkAgain(ctx, node, standing);
  if (!found?.isNews && !found?.isChanged) return false;
  return apart(async () => {
    // It may have been worked on, saved by a person, moved or removed while the files were read.
    if (signal.aborted || !isToCheck(ctx, node)) return false;
    if ((await ctx.store.readDocument(pathOf(node))) !== standing) return false;
    return writeMarks(ctx, node, found);
  });
}

async function writeMarks(
  ctx: SearchContext,
  node: TreeNode,
  { marked, marks, isNews, isChanged }: Rechecked,
): Promise<boolean> {
  const isSame = sameCounts(marks.citations, node.citations);
  if (isNews || isChanged)
    await ctx.nodes.change(node, isNews ? marks : {}, { by: 'recheck', document: isChanged ? marked.text : undefined });
  if (isSame) return false;
  ctx.history.note({ type: 'reconciled', node: pathOf(node), ...whatChanged([citationsChecked()]) });
  return true;
}

async function checkAgain(ctx: SearchContext, node: TreeNode, standing: string): Promise<Rechecked | undefined> {
  try {
    const records = recordsIn(node.file?.quotations);
    const isAsBefore = (citations: readonly CheckedCitation[]): boolean => {
      const { citations: counts, quotations = [] } = marksOf(citations);
      return sameCounts(counts, node.citations) && records.map(entryOf).join('\n') === quotations.join('\n');
    };
    // Citations in a person's document are marked with where they are now, and never changed. Other documents are changed only
    // if something is new.
    const isPersons = (await editedDocument(ctx, node)) !== undefined;
    const marked = await markDocument(ctx.workspaceText, folderOf(ctx, node), standing, {
      records,
      mends: (asFound) => !isPersons && !isAsBefore(asFound),
    });
    const isNews = !isAsBefore(marked.asFound);
    const marks = marksOf(marked.citations);
    const isChanged =
      !isPersons &&
      (isNews ? marked.text !== standing : parseDocument(marked.text).body !== parseDocument(standing).body);
    return { marked, marks, isNews, isChanged };
  } catch (error) {
    if (isThoughtTreeError(error, 'bad-answer')) return undefined; // a person's front matter need not be valid
    throw error;
  }
}

function sameCounts(a: CitationCounts | undefined, b: CitationCounts | undefined): boolean {
  if (!a || !b) return a === b;
  return (Object.keys(a) as (keyof CitationCounts)[]).every((mark) => a[mark] === b[mark]);
}
