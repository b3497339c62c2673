import * as z from 'zod';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { NodePatch } from '../../core/tree/node-patch.ts';
import { NodeStatus } from '../../core/tree/node-status.ts';
import { pathOf } from '../../core/tree/tree.ts';
import { statusFromFiles } from '../nodes/reconcile.ts';
import type { Acting, Action } from './action.ts';
import { nodeGone, restored } from './messages.ts';

const Result = z.object({ status: NodeStatus });
type Result = z.infer<typeof Result>;

/** Includes a pruned branch again; its status follows from its files. */
export const restore: Action<object, Result> = {
  args: z.object({}),
  result: Result,
  run: (at) => restoreBranch(at, {}),
  say: (_result, { title }) => restored({ title }),
};

/** @param more further fields of the node that change with it */
export async function restoreBranch({ ctx, node, by }: Acting, more: NodePatch): Promise<Result> {
  const found = await ctx.store.readNode(pathOf(node));
  if (!found) throw new ThoughtTreeError('not-found', nodeGone({ title: node.title }));
  const status = statusFromFiles(found, node.children.length);
  const leafReason = status === 'leaf' ? (found.file.leafReason ?? ('model' as const)) : undefined;
  await ctx.nodes.change(node, { status, leafReason, prunedBy: null, why: null, whySay: null, ...more }, { by });
  return { status };
}
