import type { Message } from '../../core/messages/message.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { pathOf, type TreeNode } from '../../core/tree/tree.ts';
import type { SearchContext } from '../../engine/search-context.ts';
import { judgementSession } from './judge/judgement-session.ts';
import * as say from './messages.ts';
import { triesOf } from './strategy/thought-place.ts';

/**
 * A thought's text is its parent's doing. So one that was gone on with is asked for other next thoughts, and one that
 * was not is judged anew.
 */
export async function redoThought(ctx: SearchContext, node: TreeNode, by: string): Promise<Message> {
  if (node.status === 'expanded') {
    await ctx.history.record({ type: 'trying', node: pathOf(node), round: triesOf(node) + 1 });
    ctx.tree.update(node, { trying: true });
    ctx.changed([node.id]);
    return say.askedForOthers({ title: node.title });
  }
  if (node.leafReason === 'solved' || node.leafReason === 'duplicate')
    throw new ThoughtTreeError(
      'bad-input',
      node.leafReason === 'solved'
        ? say.solvedNeedsNoJudge({ title: node.title })
        : say.duplicateNeedsNoJudge({ title: node.title }),
    );
  await ctx.store.writeConversation({ id: judgementSession(node), turns: [] });
  const anew = { evaluation: null, unscored: null, selected: null, leafReason: null, failure: null };
  await ctx.nodes.change(node, { ...anew, status: 'unexpanded' }, { by });
  return say.judgedAnew({ title: node.title });
}
