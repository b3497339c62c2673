import type { MoveResult } from '../../../../core/kind/strategy.ts';
import { kept, noted } from '../../../../core/messages/kept.ts';
import { oneLine } from '../../../../core/text/text.ts';
import type { TreeNode } from '../../../../core/tree/tree.ts';
import { chosenBefore, switchOf } from '../../graph/selection.ts';
import { alternativesOf } from '../../graph/structure.ts';
import * as say from '../messages.ts';
import type { GroupFields } from '../tree/own-fields.ts';
import { graphFrom } from '../tree/read-graph.ts';
import { DONE, DROPPED, groupFieldsOf, lookedAt, type WorkSearch } from '../work-search.ts';

const MOST_TRAIL = 50;

/** The way in which a group is switched: with `isStall`, although its choice has not failed, since nothing moved. */
export interface Switch {
  readonly to?: string | undefined;
  readonly isStall?: boolean | undefined;
}

/**
 * Switches a group to its next alternative. Reason and time are in its trail with the choice itself, in one write: nothing of
 * the next alternative begins before.
 */
export async function switchGroup(
  search: WorkSearch,
  given: TreeNode,
  { to: wanted, isStall = false }: Switch,
  signal: AbortSignal,
): Promise<MoveResult> {
  const node = await lookedAt(search, given, signal);
  const own = node && groupFieldsOf(node);
  if (!node || !own) return DROPPED;
  const done = await search.nodes.commit(node, signal, async () => {
    const { graph, atoms, names } = graphFrom(search.tree);
    const name = names.get(node.id);
    const group = name === undefined ? undefined : graph.groups.get(name);
    const to = group && (isStall ? wanted : switchOf(graph, group));
    if (name === undefined || !group || to === undefined || !alternativesOf(graph, name).includes(to)) return false;
    const from = chosenBefore(graph, group) ?? '';
    const left = atoms.get(from)?.node;
    const gaveUp = say.gaveUp({ from });
    const reason = oneLine(left?.failure?.message ?? '', 800) || search.show(gaveUp);
    // An alternative that was given up counts as failed: otherwise the next stall would lead back to it.
    if (left && isStall && left.status !== 'failed')
      await search.nodes.change(left, { status: 'failed', failure: { reason: 'refused', ...kept(gaveUp) } });
    const time = new Date(search.clock.now()).toISOString();
    const trail = [...(own.trail ?? []).slice(-MOST_TRAIL), { selected: to, reason: reason.slice(0, 1000), time }];
    const next: GroupFields = { ...own, selected: to, trail };
    await search.nodes.change(node, { own: next as never });
    search.history.note({ type: 'progress', ...noted(say.switched({ group: name, from, to })) });
    return true;
  });
  return done === true ? DONE : DROPPED;
}
