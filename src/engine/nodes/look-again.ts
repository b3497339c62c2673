import { lineageOf, pathOf, type TreeNode } from '../../core/tree/tree.ts';
import type { SearchContext } from '../search-context.ts';
import { reconcile } from './reconcile.ts';

/**
 * Looks at a node before it is worked on: at those above it no more than whether a person pruned or removed them, at
 * its own folder for whatever changed there.
 */
export async function lookBeforeWork(ctx: SearchContext, node: TreeNode): Promise<void> {
  for (const ancestor of lineageOf(node).slice(0, -1)) {
    const file = await ctx.store.readNodeFile(pathOf(ancestor));
    if (file && (file.status === 'pruned') === (ancestor.status === 'pruned')) continue;
    await lookAgain(ctx, ancestor);
    if (ctx.tree.get(node.id) !== node) return;
  }
  await lookAgain(ctx, node);
}

/** Reads a node's folder again and takes in what a person changed there, new branches included. */
export async function lookAgain(ctx: SearchContext, node: TreeNode): Promise<void> {
  const isBusy = ({ id }: TreeNode): boolean => ctx.underWay.has(id);
  const at = { tree: ctx.tree, store: ctx.store, repair: ctx.store, live: false, isBusy };
  const waiting = [node];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const path = pathOf(next);
    const { added, changed, what } = await reconcile(at, next);
    waiting.push(...added);
    if (changed.length > 0) ctx.changed(changed);
    if (what.length > 0) ctx.history.note({ type: 'reconciled', node: path, what: what.join(', ') });
  }
}
