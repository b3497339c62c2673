import { actionsOf } from '../core/actions/actions.ts';
import { wishesThatLead } from '../core/search/record/wishes.ts';
import { nodeAt } from '../core/tree/tree.ts';
import { openDepthLimited } from './actions/grow.ts';
import { lastLimits } from './budget/limits-of.ts';
import type { OpenedKind } from './open-kind.ts';

/** Takes up what earlier runs left open: changed limits, leaves that a deeper limit opens, a person's wishes. */
export async function takeUp({ ctx, kind, run }: OpenedKind): Promise<void> {
  const { history, model, judge, findHooks, file, options, tree } = ctx;
  const limits = ctx.limits.now;
  const free = model.free && judge?.free !== false;
  const { wishes, hasBegun } = history.past;
  const before = lastLimits(history.past.limits, file, undefined, { free }, kind.usualDepth?.(options, findHooks));
  if (hasBegun && JSON.stringify(before) !== JSON.stringify(limits))
    await history.record({ type: 'budget-changed', by: 'user', limits }, true);
  await openDepthLimited(ctx);
  await run.takeUp?.();
  for (const { node: path, listsBefore } of wishesThatLead(wishes, actionsOf(kind.face))) {
    const node = nodeAt(tree, path);
    if (!node) continue;
    if (listsBefore !== undefined) await run.again?.(node, listsBefore);
    run.strategy.wish(node.id);
  }
}
