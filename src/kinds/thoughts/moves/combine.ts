import type { MoveResult } from '../../../core/kind/strategy.ts';
import { noContent } from '../../../core/messages/answers.ts';
import { noted } from '../../../core/messages/message.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { oneLine } from '../../../core/text/text.ts';
import { lineageOf, pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import type { SearchContext } from '../../../engine/context.ts';
import { combinedTitle, combining } from '../messages.ts';
import type { SourceData } from '../prompts/prompts.ts';
import { readThoughts } from '../prompts/thought-answers.ts';
import { defectsOf } from '../prompts/thought-data.ts';
import type { Thought } from '../prompts/thought-messages.ts';
import { comparedWith, isEnd, restsOn, sourcesOf } from '../strategy/whole-solutions.ts';
import { documentOf, parentIdOf, thoughtAt, thoughtsTo, titleOf } from '../thought-document.ts';
import { combineSession, MADE_FROM, nextNumber, thoughtId, thoughtSlug } from '../thought-node.ts';
import type { ThoughtSearch } from '../thought-search.ts';
import { checkThought, wordsFor } from './generate.ts';

const LONGEST_TITLE = 200;

/** Returns the nearest node that is above all of these, but none of them. */
function commonParent(nodes: readonly TreeNode[], root: TreeNode): TreeNode {
  const above = nodes.map((node) => new Set([root, ...lineageOf(node).slice(0, -1)]));
  const [first] = nodes;
  const chain = [...lineageOf(first as TreeNode).slice(0, -1)].reverse();
  return chain.find((each) => above.every((set) => set.has(each))) ?? root;
}

/**
 * Makes the node for what several are combined to: below what all of them have in common, with a link to each. Its text is
 * written when its turn comes; until then its title names them.
 */
export async function addCombined(
  { nodes: files, tree, show }: Pick<SearchContext, 'nodes' | 'tree' | 'show'>,
  nodes: readonly TreeNode[],
  by?: string,
): Promise<TreeNode> {
  const parent = commonParent(nodes, tree.root);
  const slug = thoughtSlug(pathOf(parent), nextNumber(parent));
  const titles = nodes.map(({ title }) => oneLine(title, Math.floor(LONGEST_TITLE / nodes.length) - 20)).join(' + ');
  const links = nodes.flatMap(({ fileId }) => (fileId === undefined ? [] : [{ type: MADE_FROM, to: fileId }]));
  const title = show(combinedTitle({ titles }));
  const child = { slug, title, fields: { links } };
  const [node] = await files.add(parent, [child], 'list-last', { by });
  return node as TreeNode;
}

/** Makes the node for what several whole solutions are combined to. */
export async function combineThoughts(ctx: ThoughtSearch, nodes: readonly TreeNode[]): Promise<MoveResult> {
  await ctx.gate.commit(async () => {
    await addCombined(ctx, nodes);
  });
  return { outcome: 'done' };
}

/** Writes the text of a combined thought, from all that it is made of. */
export async function writeCombined(ctx: ThoughtSearch, node: TreeNode, signal: AbortSignal): Promise<MoveResult> {
  await ctx.nodes.lookBeforeWork(node, signal);
  const parent = node.parent;
  if (ctx.tree.get(node.id) !== node || !parent || node.status !== 'unexpanded') return { outcome: 'dropped' };
  const from = sourcesOf(ctx.tree, node);
  ctx.history.note({ type: 'progress', ...noted(combining({ count: from.length })) });
  return await ctx.nodes.work(node, signal, async () => {
    const id = combineSession(node);
    const sources = await Promise.all(from.map((each) => sourceData(ctx, parent, each, from[0])));
    const isWhole = from.length > 0 && from.every((each) => isEnd(each, ctx.settings.task?.solved !== undefined));
    const { value: thought } = await ctx.asks.ask(
      {
        purpose: 'generate',
        node,
        words: () => wordsFor(ctx, parent, { count: 1, earlier: [], isWhole, sources }, signal),
        check: readCombined,
        keep: {
          conversation: (await ctx.store.readConversation(id)) ?? { id, turns: [] },
        },
      },
      signal,
    );
    const checked = await checkThought(ctx, await thoughtsTo(ctx, parent), thought, signal);
    const done = await ctx.nodes.commit(node, signal, async () => {
      const document = documentOf(thought, thoughtId(node), parentIdOf(node), node.depth);
      // The document comes last: without it, a kill leaves a thought that is still to be written.
      await ctx.nodes.change(node, { title: titleOf(thought), model: ctx.model.name, ...checked });
      await ctx.nodes.change(node, {}, { document });
      ctx.states.add(node);
    });
    return { outcome: done === 'gone' ? 'dropped' : 'done' };
  });
}

/** @throws ThoughtTreeError `bad-answer` if there is none: what is combined is never nothing */
function readCombined(text: string): Thought {
  const [thought] = readThoughts(text, 1);
  if (!thought) throw new ThoughtTreeError('bad-answer', noContent());
  return thought;
}

/** Returns one of the thoughts that are combined. @param best the first of them, into which parts of the others go */
async function sourceData(
  ctx: ThoughtSearch,
  parent: TreeNode,
  node: TreeNode,
  best: TreeNode | undefined,
): Promise<SourceData> {
  const below = lineageOf(node).slice(parent.depth);
  return {
    id: thoughtId(node),
    steps: await Promise.all(below.map((each) => thoughtAt(ctx, each))),
    objections: defectsOf(restsOn(ctx.tree, node).filter((each) => each.depth > parent.depth)),
    takeOver: (best && node !== best && comparedWith(node, best)?.take_over) || [],
  };
}
