import type { Message } from '../../core/messages/message.ts';
import { formatTokens } from '../../core/money/figures.ts';
import { oneLine } from '../../core/text/text.ts';
import { isPruned, pathOf, type TreeNode, walk } from '../../core/tree/tree.ts';
import type { Kinds } from '../../engine/kind.ts';
import type { Place } from '../place.ts';
import { overviewOf, type SearchOverview } from '../reader/search-overview.ts';
import { citationChecks } from '../verify-search.ts';
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
export interface OutOfDate {
  readonly overview: SearchOverview;
  /** Those above first. */
  readonly nodes: readonly OldNode[];
  readonly spent: { readonly calls: number; readonly tokens: number; readonly usd: number };
}

/**
 * Finds the nodes whose documents rest on what changed: lines of files that they quote, or texts above them that a person
 * edited. Reads every file that is cited, and changes nothing. Pruned branches are left out.
 */
export async function outOfDate(kinds: Kinds, place: Place): Promise<OutOfDate> {
  const overview = await overviewOf(kinds, place.folder);
  const places = new Map<string, string[]>();
  for (const { path, about, isChanged } of await citationChecks(overview, place))
    if (isChanged) places.set(path, [...(places.get(path) ?? []), about]);
  const { edits } = overview.record;
  const old = (node: TreeNode): OldNode[] => {
    const path = pathOf(node);
    const found = places.get(path) ?? [];
    const isBelowEdit = edits.isOlderNode(node);
    if (isPruned(node) || (found.length === 0 && !isBelowEdit)) return [];
    return [{ path, title: node.title, places: [...new Set(found)], isBelowEdit }];
  };
  const nodes = [...walk(overview.tree.root)].filter(({ parent }) => parent).flatMap(old);
  let [calls, tokens, usd] = [0, 0, 0];
  for (const { path } of nodes) {
    const spent = overview.reader.spentOn(path);
    calls += spent?.calls ?? 0;
    tokens += spent?.tokens ?? 0;
    usd += spent?.usd ?? 0;
  }
  return { overview, nodes, spent: { calls, tokens, usd } };
}

export const nothingOld = say.allUpToDate;
export const bringUpToDate = say.bringThem;

/** Why a document is out of date, in words. */
export function whyOld({ places, isBelowEdit }: Pick<OldNode, 'places' | 'isBelowEdit'>): Message[] {
  const changed = places.length > 0 ? [say.changedAt({ places: oneLine(places.join(', '), 300) })] : [];
  return isBelowEdit ? [...changed, say.belowEdit()] : changed;
}

/** What documents cost when they were written, which is about what they cost again. */
export function priceOfOld(count: number, { calls, tokens, usd }: OutOfDate['spent']): Message {
  return say.outOfDatePrice({ count, calls, tokens: formatTokens(tokens), usd });
}
