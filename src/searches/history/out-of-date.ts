import { placeText } from '../../core/citations/citation.ts';
import { recordsIn } from '../../core/citations/citation-marks.ts';
import type { Message } from '../../core/messages/message.ts';
import { formatTokens } from '../../core/money/figures.ts';
import { oneLine } from '../../core/text/text.ts';
import { isPruned, pathOf, type TreeNode, walk } from '../../core/tree/tree.ts';
import type { CitationNow, CitationsNow, CitingSearch } from '../citations-now.ts';
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
}

/** What is out of date in a search, and what that cost when it was written. */
interface OutOfDate {
  /** Those above first. */
  readonly nodes: readonly OldNode[];
  readonly spent: { readonly calls: number; readonly tokens: number; readonly usd: number };
}

/**
 * Finds the nodes whose documents rest on what changed: lines of files that they quote, or texts above them that a person
 * edited. Reads every file that is cited, and changes nothing. Pruned branches are left out.
 */
export async function outOfDate(search: OldSearch, citations: Pick<CitationsNow, 'in'>): Promise<OutOfDate> {
  const { edits } = search.record;
  const nodes: OldNode[] = [];
  let [calls, tokens, usd] = [0, 0, 0];
  for (const node of walk((await search.tree()).root)) {
    if (!node.parent || isPruned(node)) continue;
    const path = pathOf(node);
    const places = node.citations ? changedPlaces(node, await citations.in(search, path)) : [];
    const isBelowEdit = edits.isOlderNode(node);
    if (places.length === 0 && !isBelowEdit) continue;
    nodes.push({ path, title: node.title, places: [...new Set(places)], isBelowEdit });
    const spent = search.spentOn(path);
    calls += spent?.calls ?? 0;
    tokens += spent?.tokens ?? 0;
    usd += spent?.usd ?? 0;
  }
  return { nodes, spent: { calls, tokens, usd } };
}

/** As much of a search as that needs. */
type OldSearch = CitingSearch & Pick<SearchReader, 'spentOn'>;

/** Returns the places where something was found once that is not there any more. */
function changedPlaces({ file }: TreeNode, found: readonly CitationNow[]): string[] {
  const seen = new Set(recordsIn(file?.quotations).flatMap(({ path, mark }) => (mark === 'not_found' ? [] : [path])));
  const isGone = ({ opens, path }: CitationNow): boolean => !opens && seen.has(path);
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
export function whyOld({ places, isBelowEdit }: Pick<OldNode, 'places' | 'isBelowEdit'>): Message[] {
  const changed = places.length > 0 ? [say.changedAt({ places: oneLine(places.join(', '), 300) })] : [];
  return isBelowEdit ? [...changed, say.belowEdit()] : changed;
}

/** What documents cost when they were written, which is about what they cost again. */
export function priceOfOld(count: number, { calls, tokens, usd }: OutOfDate['spent']): Message {
  return say.outOfDatePrice({ count, calls, tokens: formatTokens(tokens), usd });
}
