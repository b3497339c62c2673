import { ThoughtTreeError } from '../../core/search/errors.ts';
import { pathOf, type TreeNode } from '../../core/tree/tree.ts';
import type { SearchContext } from '../../engine/search-context.ts';
import { judgementSession } from './judge/judgement-session.ts';
import { triesOf } from './strategy/thought-place.ts';

/**
 * A thought's text is its parent's doing. So one that was gone on with is asked for other next thoughts, and one that
 * was not is judged anew.
 */
export async function redoThought(ctx: SearchContext, node: TreeNode, by: string): Promise<string> {
  if (node.status === 'expanded') {
    await ctx.history.record({ type: 'trying', node: pathOf(node), round: triesOf(node) + 1 });
    ctx.tree.update(node, { trying: true });
    ctx.changed([node.id]);
    return `"${node.title}" is asked for other thoughts.`;
  }
  if (node.leafReason === 'solved' || node.leafReason === 'duplicate')
    throw new ThoughtTreeError('bad-input', `"${node.title}" needs no judge: it is ${node.leafReason}.`);
  await ctx.store.writeConversation({ id: judgementSession(node), turns: [] });
  const anew = { evaluation: null, unscored: null, selected: null, leafReason: null, failure: null };
  await ctx.nodes.change(node, { ...anew, status: 'unexpanded' }, { by });
  return `"${node.title}" is judged anew.`;
}
