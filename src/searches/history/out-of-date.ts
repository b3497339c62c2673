import { type CitationMark, type FileLines, placeText } from '../../core/citations/citation.ts';
import { recordsIn } from '../../core/citations/citation-marks.ts';
import type { Message } from '../../core/messages/message.ts';
import { formatTokens } from '../../core/money/figures.ts';
import { Ledger, type Spend } from '../../core/money/ledger.ts';
import { FOUND, type JournalEvent } from '../../core/search/events.ts';
import { withPresentPaths } from '../../core/search/record/nodes-seen.ts';
import { oneLine } from '../../core/text/text.ts';
import { isPruned, lineageOf, pathOf, type TreeNode, walk } from '../../core/tree/tree.ts';
import type { Place } from '../place.ts';
import type { SearchReader } from '../reader/search-reader.ts';
import * as say from './messages.ts';

/** A node whose document rests on something that is another now. */
interface OldNode {
  /** Slug path. */
  readonly path: string;
  readonly title: string;
  /** The places that it quotes and that say something else now, or are gone. */
  readonly places: readonly string[];
  /** A text above it was changed by hand since it was written. */
  readonly isBelowEdit: boolean;
  /** A person edited its own document, which stays. */
  readonly isEdited: boolean;
}

/** The documents of a search that are out of date, and their cost when they were written. */
interface OutOfDate {
  /** Those above first. */
  readonly nodes: readonly OldNode[];
  /** The slug paths of those that can be written anew. */
  readonly paths: readonly string[];
  /** The cost of these when they were last written. */
  readonly spent: { readonly calls: number; readonly tokens: number; readonly usd: number };
}

/**
 * Finds the nodes whose documents rest on what changed: lines of files that they quote, or texts above them that a person
 * edited, also since anybody worked on the search. Reads every document, and every file that is cited, and changes nothing.
 * Pruned branches are left out.
 */
export async function outOfDate(search: OldSearch, citations: Citations): Promise<OutOfDate> {
  const { edits } = search.record;
  const { root } = await search.tree();
  const { written, edited, found } = await editsIn(search, root);
  const nodes: OldNode[] = [];
  let [calls, tokens, usd] = [0, 0, 0];
  for (const node of walk(root)) {
    if (!node.parent || isPruned(node)) continue;
    const path = pathOf(node);
    const places = node.citations ? changedPlaces(node, await citations.in(search, path)) : [];
    const isBelowFound = lineageOf(node).some((each) => each !== node && found.has(each)) && isWritten(node);
    const isBelowEdit = isBelowFound || edits.isOlderNode(node);
    if (places.length === 0 && !isBelowEdit) continue;
    const isEdited = edited.has(node);
    nodes.push({ path, title: node.title, places: [...new Set(places)], isBelowEdit, isEdited });
    if (isEdited) continue;
    const { spend } = written.get(path) ?? {};
    calls += spend?.calls ?? 0;
    tokens += spend ? spend.prompt + spend.completion + spend.worstCase : 0;
    usd += spend?.usd ?? 0;
  }
  const paths = nodes.filter(({ isEdited }) => !isEdited).map(({ path }) => path);
  return { nodes, paths, spent: { calls, tokens, usd } };
}

/** As much of a search as that needs. */
type OldSearch = Place & Pick<SearchReader, 'toldTree' | 'tree' | 'store' | 'record' | 'holder' | 'state'>;

/** A citation according to the file as it is now, which may no longer open. */
type Cited = FileLines & { readonly mark: CitationMark; readonly opens: boolean };

/** Looks up the citations of a node's document, by its slug path. */
interface Citations {
  in(search: OldSearch, path: string): Promise<readonly Cited[]>;
}

function isWritten({ status }: TreeNode): boolean {
  return status === 'expanded' || status === 'leaf';
}

/** The documents of a search, and those that a person edited: `found` where no process noticed yet. */
interface Edits {
  readonly written: ReadonlyMap<string, WrittenDocument>;
  readonly edited: ReadonlySet<TreeNode>;
  readonly found: ReadonlySet<TreeNode>;
}

async function editsIn({ store, record, holder, state }: OldSearch, root: TreeNode): Promise<Edits> {
  const written = writtenDocuments(withPresentPaths((await store?.readJournal()) ?? []));
  const known = new Set(record.edits.state.map(([path]) => path));
  // Whoever works on it, or was stopped in the middle, may have written it just now.
  const isAtRest = holder?.state !== 'alive' && (state === 'finished' || state === 'paused');
  const edited = new Set<TreeNode>();
  const found = new Set<TreeNode>();
  for (const node of walk(root)) {
    const path = pathOf(node);
    const { hash, isFound } = written.get(path) ?? {};
    if (hash === undefined) continue;
    if (isAtRest && (await store?.readDocumentHash(path)) !== hash) found.add(node);
    if (found.has(node) || (isFound && known.has(path))) edited.add(node);
  }
  return { written, edited, found };
}

/** The last document of a node that a journal tells of. */
interface WrittenDocument {
  readonly hash: string;
  /** It was found in the folder. */
  readonly isFound: boolean;
  /** Of the calls that the search made for it when it last wrote it. */
  readonly spend: Spend | undefined;
}

/** Returns the documents of a journal by their slug paths. @param journal with paths as they are now */
function writtenDocuments(journal: readonly JournalEvent[]): ReadonlyMap<string, WrittenDocument> {
  const ledgers = new Map<string, Ledger>();
  const written = new Map<string, WrittenDocument>();
  for (const event of journal) {
    if (event.type === 'call-started' || event.type === 'call-ended') {
      const ledger = ledgers.get(event.node) ?? new Ledger();
      ledgers.set(event.node, ledger);
      ledger.apply(event);
    }
    if (event.type !== 'node-status' || event.document === undefined) continue;
    const before = written.get(event.node);
    const isFound = event.by === FOUND.byHand || event.by === FOUND.onOpening;
    // Marks of a check are no other text.
    const isCheck = event.by === 'recheck' && before !== undefined;
    const spend = isFound ? undefined : ledgers.get(event.node)?.spend;
    if (spend) ledgers.delete(event.node);
    const now = { isFound: isCheck ? before.isFound : isFound, spend: spend ?? before?.spend };
    written.set(event.node, { hash: event.document, ...now });
  }
  return written;
}

/** Returns the places where something was found once that is not there any more. */
function changedPlaces({ file }: TreeNode, found: readonly Cited[]): string[] {
  const seen = new Set(recordsIn(file?.quotations).flatMap(({ path, mark }) => (mark === 'not_found' ? [] : [path])));
  const isGone = ({ opens, path }: Cited): boolean => !opens && seen.has(path);
  return found.filter((each) => each.mark === 'stale' || isGone(each)).map(placeText);
}

/** Says that everything rests on what still holds. */
export function nothingOld(): Message {
  return say.allUpToDate();
}

/** Asks whether to write anew what is out of date. */
export function bringUpToDate(count: number): Message {
  return say.bringThem({ count });
}

/** Why a document is out of date, in words. */
export function whyOld({ places, isBelowEdit, isEdited }: Omit<OldNode, 'path' | 'title'>): Message[] {
  const changed = places.length > 0 ? [say.changedAt({ places: oneLine(places.join(', '), 300) })] : [];
  return [...changed, ...(isBelowEdit ? [say.belowEdit()] : []), ...(isEdited ? [say.editedStays()] : [])];
}

/** The cost of documents when they were written, which is about that of writing them again. */
export function priceOfOld(count: number, { calls, tokens, usd }: OutOfDate['spent']): Message {
  return say.outOfDatePrice({ count, calls, tokens: formatTokens(tokens), usd });
}
