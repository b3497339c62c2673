import type { JournalEvent } from '../core/search/events.ts';
import type { Strategy } from '../core/search/strategy.ts';
import { nodeAt } from '../core/tree/tree.ts';
import type { Kind } from './kind.ts';
import { lastLimits } from './limits-of.ts';
import { openWishes } from './open-wishes.ts';
import type { SearchContext } from './search-context.ts';
import { openDepthLimited } from './steering/grow-search.ts';

/** Where doing a node over does not bring it to the front. */
const EXPAND_ONLY: ReadonlySet<string> = new Set(['expand']);

/** A search that was opened just now. */
interface Opened {
  readonly ctx: SearchContext;
  readonly kind: Kind;
  readonly strategy: Strategy;
}

/** Takes up what earlier runs left open: limits that changed, leaves a deeper limit opens, a person's wishes. */
export async function takeUp({ ctx, kind, strategy }: Opened, journal: readonly JournalEvent[]): Promise<void> {
  const { history, limits, model, judge, findTask, file, tree } = ctx;
  const free = model.free && judge?.free !== false;
  const before = lastLimits(journal, file, undefined, { free }, findTask);
  const begun = journal.some(({ type }) => type === 'search-started');
  if (begun && JSON.stringify(before) !== JSON.stringify(limits))
    await history.record({ type: 'budget-changed', by: 'user', limits });
  await openDepthLimited(ctx);
  await kind.takeUp?.(ctx);
  for (const { node: path, listsBefore } of openWishes(journal, kind.redo && EXPAND_ONLY)) {
    const node = nodeAt(tree, path);
    if (!node) continue;
    if (listsBefore !== undefined) ctx.askAgain.set(node.id, listsBefore);
    strategy.wish(node.id);
  }
}
