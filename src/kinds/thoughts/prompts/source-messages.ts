import type { TreeNode } from '../../../core/tree/tree.ts';
import { decompositionOf } from '../decompose.ts';
import { thoughtAt, thoughtsTo } from '../thought-document.ts';
import { thoughtId } from '../thought-id.ts';
import type { ThoughtSearch } from '../thought-search.ts';
import type { EvaluateThoughts, GenerateThoughts, ThoughtNode } from './thought-messages.ts';

/** This project's statuses in the source's messages. */
export function sourceStatus({ status, children }: TreeNode): ThoughtNode['status'] {
  if (status === 'pruned' || status === 'failed') return 'pruned';
  if (status === 'leaf') return 'terminal';
  return status === 'expanded' || children.length > 0 ? 'expanded' : 'pending';
}

/** A node in the source's messages. */
async function messageNode(ctx: ThoughtSearch, node: TreeNode): Promise<ThoughtNode> {
  const { content, action_type, metadata } = await thoughtAt(ctx, node);
  const { score, confidence, reasoning } = node.evaluation ?? {};
  return {
    id: thoughtId(node),
    parent_id: node.parent ? thoughtId(node.parent) : null,
    children_ids: node.children.slice(0, 1000).map(thoughtId),
    depth: node.depth,
    content,
    ...(action_type === undefined ? {} : { action_type }),
    evaluation:
      score === undefined
        ? null
        : { score, ...(confidence !== undefined && { confidence }), ...(reasoning && { reasoning }) },
    status: node.parent ? sourceStatus(node) : node.listed ? 'expanded' : 'pending',
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/** Asks for next thoughts at a node. */
export async function generateMessage(
  ctx: ThoughtSearch,
  node: TreeNode,
  count: number,
  earlier: readonly string[],
): Promise<GenerateThoughts> {
  const { settings } = ctx;
  const { success_criteria: goal, constraints } = await decompositionOf(ctx);
  const path = (await thoughtsTo(ctx, node)).map(({ content }) => content);
  return {
    type: 'generate_thoughts',
    payload: {
      // Its score does not matter for continuing from it, and would change the prompt.
      parent_node: { ...(await messageNode(ctx, node)), children_ids: [], evaluation: null, status: 'pending' },
      generation_strategy: settings.generation,
      num_candidates: count,
      context: { problem: ctx.file.prompt, goal, constraints, path, earlier: [...earlier] },
    },
  };
}

/** Asks for a judgement of nodes. */
export async function evaluateMessage(
  ctx: ThoughtSearch,
  nodes: readonly TreeNode[],
  criteria: readonly string[],
): Promise<EvaluateThoughts> {
  const { settings } = ctx;
  const { success_criteria: goal, constraints } = await decompositionOf(ctx);
  const parents = new Map(nodes.map(({ parent }) => [parent as TreeNode, undefined]));
  const paths: Record<string, string[]> = {};
  for (const parent of parents.keys())
    paths[thoughtId(parent)] = (await thoughtsTo(ctx, parent)).map(({ content }) => content);
  return {
    type: 'evaluate_thoughts',
    payload: {
      candidates: await Promise.all(nodes.map((node) => messageNode(ctx, node))),
      evaluation_strategy: settings.evaluation,
      evaluation_criteria: [...criteria],
      context: {
        problem: ctx.file.prompt,
        goal,
        constraints,
        current_depth: nodes[0]?.depth ?? 0,
        max_depth: ctx.limits.now.maxDepth,
        paths,
      },
    },
  };
}
