import { lineageOf, type TreeNode } from '../../../core/tree/tree.ts';
import type { FinalSolution, ThoughtErrorCode } from '../prompts/thought-messages.ts';
import { backtracks, outcomeOf } from '../report/outcome.ts';
import type { ThoughtSearch } from '../thought-search.ts';
import { type SnapshotNode, snapshotIds, snapshotOf, type ThoughtTree } from './snapshot.ts';

/** The source's last message, and its final solution if there is one. */
export interface SearchComplete {
  readonly type: 'search_complete';
  readonly payload: {
    readonly best_path: SnapshotNode[];
    readonly tree: ThoughtTree;
    readonly stats: { readonly total_nodes: number; readonly total_backtracks: number; readonly llm_calls: number };
    readonly final_solution?: FinalSolution['payload'];
  };
  readonly error?: { readonly code: ThoughtErrorCode; readonly message: string; readonly recoverable: boolean };
}

/** In the source, decomposition comes before a search begins, and the answer is written after it has ended. */
function callsOf({ history }: ThoughtSearch): number {
  const { generate = 0, evaluate = 0 } = history.past.statistics.callsByPurpose;
  return generate + evaluate;
}

/** Returns the certainty of the end of a path; none where no judge could score it. */
function confidenceIn(end: TreeNode | undefined): { confidence?: number } {
  if (end?.unscored) return { confidence: 0 };
  return end?.evaluation?.confidence === undefined ? {} : { confidence: end.evaluation.confidence };
}

/** The result of a search in the source's format. */
export async function searchComplete(ctx: ThoughtSearch): Promise<SearchComplete> {
  const { settings, answer } = ctx;
  const { solved, finished, best, alternatives } = outcomeOf(ctx);
  const end = finished ?? best;
  // The tree knows how often its nodes were asked while its search is open.
  const tree = await snapshotOf({ ...ctx, limits: ctx.limits.now });
  const ids = snapshotIds(ctx.tree);
  const path = [ctx.tree.root, ...(end ? lineageOf(end) : [])].map(
    (node) => tree.nodes[ids.get(node) as string] as SnapshotNode,
  );
  const final = finished && (answer ?? path.at(-1)?.content);
  const isExhausted = !finished && ctx.tree.root.listed;
  return {
    type: 'search_complete',
    payload: {
      best_path: path,
      tree,
      stats: {
        total_nodes: ctx.tree.size + 1,
        total_backtracks: backtracks(ctx, settings.strategy),
        llm_calls: callsOf(ctx),
      },
      ...(final === undefined
        ? {}
        : {
            final_solution: {
              answer: final,
              reasoning_trace: path.slice(1).map(({ content }) => content),
              ...confidenceIn(end),
              verification: {
                is_valid: settings.task?.solved !== undefined && solved !== undefined,
                validation_errors: [...ctx.openDefects],
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
