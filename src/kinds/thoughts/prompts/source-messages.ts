import type { TreeNode } from '../../../core/tree/tree.ts';
import { decompositionOf } from '../decompose.ts';
import { judgedPath } from '../judge/standing.ts';
import { thoughtAt } from '../thought-document.ts';
import { thoughtId } from '../thought-id.ts';
import type { ThoughtSearch } from '../thought-search.ts';
import type { PathData, PlanData } from './prompt-data.ts';
import { criteriaOf, type EvaluateThoughts, type GenerateThoughts, type ThoughtNode } from './thought-messages.ts';

/** This project's statuses in the source's messages. */
export function sourceStatus({ status, children }: TreeNode): ThoughtNode['status'] {
  if (status === 'pruned' || status === 'failed') return 'pruned';
  if (status === 'leaf') return 'terminal';
  return status === 'expanded' || children.length > 0 ? 'expanded' : 'pending';
}

/** Returns how the problem was taken apart, for every request. */
export async function planData(ctx: ThoughtSearch): Promise<PlanData> {
  return { decomposition: await decompositionOf(ctx), mostSteps: ctx.limits.now.maxDepth };
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
  path: PathData,
  earlier: readonly string[],
): Promise<GenerateThoughts> {
  const { settings } = ctx;
  const decomposition = await decompositionOf(ctx);
  return {
    type: 'generate_thoughts',
    payload: {
      parent_node: { ...(await messageNode(ctx, node)), children_ids: [], evaluation: null, status: 'pending' },
      generation_strategy: settings.generation,
      num_candidates: count,
      context: {
        problem: ctx.file.prompt,
        goal: criteriaOf(decomposition).join('; '),
        constraints: decomposition.constraints,
        path: path.steps.map(({ content }) => content),
        earlier: [...earlier],
      },
    },
  };
}

/** Returns the paths that candidates continue, by the ids of their parents. */
export async function pathsOf(ctx: ThoughtSearch, nodes: readonly TreeNode[]): Promise<Record<string, PathData>> {
  const parents = [...new Set(nodes.map(({ parent }) => parent as TreeNode))];
  const paths = await Promise.all(parents.map((parent) => judgedPath(ctx, parent)));
  return Object.fromEntries(parents.map((parent, at) => [thoughtId(parent), paths[at] as PathData]));
}

/** Asks for a judgement of nodes. */
export async function evaluateMessage(
  ctx: ThoughtSearch,
  nodes: readonly TreeNode[],
  paths: Readonly<Record<string, PathData>>,
): Promise<EvaluateThoughts> {
  const { settings } = ctx;
  const decomposition = await decompositionOf(ctx);
  const criteria = criteriaOf(decomposition);
  const contents = ([id, { steps }]: [string, PathData]) => [id, steps.map(({ content }) => content)] as const;
  return {
    type: 'evaluate_thoughts',
    payload: {
      candidates: await Promise.all(nodes.map((node) => messageNode(ctx, node))),
      evaluation_strategy: settings.evaluation,
      evaluation_criteria: [...criteria],
      context: {
        problem: ctx.file.prompt,
        goal: criteria.join('; '),
        constraints: decomposition.constraints,
        current_depth: nodes[0]?.depth ?? 0,
        max_depth: ctx.limits.now.maxDepth,
        paths: Object.fromEntries(Object.entries(paths).map(contents)),
      },
    },
  };
}
