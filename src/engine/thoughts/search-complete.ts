import { thoughtId } from '../../core/thought-id.ts';
import type { FinalSolution, ThoughtErrorCode, ThoughtNode } from '../../core/thought-messages.ts';
import { isPruned, lineageOf, type TreeNode, walk } from '../../core/tree.ts';
import type { SearchContext } from '../search-context.ts';
import { messageNode } from './messages.ts';
import { backtracks, outcomeOf } from './outcome.ts';
import { thoughtsOf } from './thought-search.ts';

/** Nodes that a tree in a message holds at most, the best path always among them. */
const MOST_NODES = 10_000;

/** The source's ThoughtTree. */
interface ThoughtTree {
  readonly task_id: string;
  readonly problem: string;
  readonly task_type: string;
  readonly search_config: {
    readonly strategy: 'BFS' | 'DFS' | 'best-first';
    readonly max_depth: number;
    readonly branching_factor: number;
    readonly num_candidates: number;
    readonly pruning_threshold: number;
  };
  readonly nodes: Record<string, ThoughtNode>;
  readonly root_id: 'root';
  readonly search_state: {
    readonly current_depth: number;
    readonly frontier: string[];
    readonly explored: string[];
    readonly pruned: string[];
    readonly best_path: string[];
    readonly best_score: number;
  };
}

/** The source's last message, and its final solution where there is one. */
export interface SearchComplete {
  readonly type: 'search_complete';
  readonly payload: {
    readonly best_path: ThoughtNode[];
    readonly tree: ThoughtTree;
    readonly stats: { readonly total_nodes: number; readonly total_backtracks: number; readonly llm_calls: number };
    readonly final_solution?: FinalSolution['payload'];
  };
  readonly error?: { readonly code: ThoughtErrorCode; readonly message: string; readonly recoverable: boolean };
}

/** The result of a search in the source's shape. */
export async function searchComplete(ctx: SearchContext): Promise<SearchComplete> {
  const { settings, answer, calls } = thoughtsOf(ctx);
  const { solved, finished, best, alternatives } = outcomeOf(ctx);
  const end = finished ?? best;
  const path = await Promise.all([ctx.tree.root, ...(end ? lineageOf(end) : [])].map((node) => messageNode(ctx, node)));
  const tree = await thoughtTree(ctx);
  const final = answer ?? (solved && path.at(-1)?.content);
  const isExhausted = !finished && ctx.tree.root.listed;
  return {
    type: 'search_complete',
    payload: {
      best_path: path,
      tree,
      stats: {
        total_nodes: ctx.tree.size + 1,
        total_backtracks: backtracks(ctx, settings.strategy),
        llm_calls: Object.values(calls).reduce((sum, count) => sum + count, 0),
      },
      ...(final === undefined
        ? {}
        : {
            final_solution: {
              answer: final,
              reasoning_trace: path.slice(1).map(({ content }) => content),
              ...(end?.evaluation?.confidence === undefined ? {} : { confidence: end.evaluation.confidence }),
              verification: {
                is_valid: settings.task?.solved !== undefined && solved !== undefined,
                validation_errors: [],
              },
              alternative_solutions: alternatives.map(({ title }) => title),
            },
          }),
    },
    ...(isExhausted
      ? { error: { code: 'SEARCH_EXHAUSTED', message: 'No solution was found.', recoverable: true } as const }
      : {}),
  };
}

/** The tree in the source's shape: what an export writes. */
async function thoughtTree(ctx: SearchContext): Promise<ThoughtTree> {
  const { settings } = thoughtsOf(ctx);
  const { best } = outcomeOf(ctx);
  const shown: TreeNode[] = [];
  const kept = new Set(best ? lineageOf(best) : []);
  for (const node of walk(ctx.tree.root)) if (shown.length < MOST_NODES || kept.has(node)) shown.push(node);
  const nodes: Record<string, ThoughtNode> = {};
  for (const node of shown) nodes[thoughtId(node)] = await messageNode(ctx, node);
  const ids = (is: (node: TreeNode) => boolean): string[] => shown.filter(is).map(thoughtId);
  return {
    task_id: taskId(ctx),
    problem: ctx.file.prompt,
    task_type: settings.preset ?? 'general',
    search_config: {
      strategy: SOURCE_STRATEGY[settings.strategy],
      max_depth: ctx.limits.maxDepth,
      branching_factor: settings.beam,
      num_candidates: settings.candidates,
      pruning_threshold: settings.threshold,
    },
    nodes,
    root_id: 'root',
    search_state: {
      current_depth: shown.reduce((deepest, { depth }) => Math.max(deepest, depth), 0),
      frontier: ids((node) => node.status === 'unexpanded' && node.selected !== false && !isPruned(node)),
      explored: ids((node) => node.status === 'expanded' && !isPruned(node)),
      pruned: ids(({ status }) => status === 'pruned'),
      best_path: [ctx.tree.root, ...(best ? lineageOf(best) : [])].map(thoughtId),
      best_score: best?.evaluation?.score ?? 0,
    },
  };
}

export const SOURCE_STRATEGY = { 'breadth-first': 'BFS', 'depth-first': 'DFS', 'best-first': 'best-first' } as const;

/** As the source names tasks, from when the search was made. */
export function taskId({ file }: Pick<SearchContext, 'file'>): string {
  const digits = (file.createdAt ?? '').replace(/\D/g, '');
  return `tot-${digits.slice(0, 8).padEnd(8, '0')}-${digits.slice(8, 14).padEnd(6, '0')}-${file.title
    .replace(/[^a-zA-Z0-9]/g, '')
    .toLowerCase()
    .padEnd(6, '0')
    .slice(0, 6)}`;
}
