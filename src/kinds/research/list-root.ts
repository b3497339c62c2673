import type { MoveResult } from '../../core/kind/strategy.ts';
import { noted } from '../../core/messages/kept.ts';
import { ROOT_SESSION } from '../../engine/calls/root-session.ts';
import { type ProposedChild, readChildren } from './answers/children-answer.ts';
import { nodeWords } from './conversation/node-words.ts';
import { rootExpanding } from './messages.ts';
import { placeChildren } from './place-children.ts';
import { childrenData } from './prompts/topic-data.ts';
import type { ResearchSearch } from './research-search.ts';

/** Makes the first level. The root has no node.json: the folders come first, and its list last, to mark completion. */
export async function listRoot(ctx: ResearchSearch, signal: AbortSignal): Promise<MoveResult> {
  const { root } = ctx.tree;
  await ctx.nodes.add(root, placeChildren(root, await askForTopics(ctx, signal)), 'list-last');
  return { outcome: 'done' };
}

async function askForTopics(ctx: ResearchSearch, signal: AbortSignal): Promise<ProposedChild[]> {
  const { root } = ctx.tree;
  const conversation = (await ctx.store.readConversation(ROOT_SESSION)) ?? { id: ROOT_SESSION, turns: [] };
  const { value } = await ctx.asks.ask(
    {
      purpose: 'children',
      keep: { conversation },
      words: (before) => {
        ctx.history.note({ type: 'progress', ...noted(rootExpanding()) });
        const data = childrenData(ctx, root);
        return nodeWords(ctx, root, before, data, ctx.prompts.children(data), signal);
      },
      check: (text) => readChildren(text, ctx.maxChildren),
    },
    signal,
  );
  return value;
}
