import type { MoveResult } from '../../../../core/kind/strategy.ts';
import { oneLine } from '../../../../core/text/text.ts';
import { type TreeNode, walk } from '../../../../core/tree/tree.ts';
import { withWord } from '../../evidence/combine.ts';
import { itemAt } from '../../evidence/item-at.ts';
import * as say from '../messages.ts';
import { planOf } from '../plan-of.ts';
import type { GoalFields } from '../tree/own-fields.ts';
import { ended } from '../tree/tries.ts';
import { atomFieldsOf, DONE, DROPPED, goalFieldsOf, lookedAt, type WorkSearch } from '../work-search.ts';
import { addAtom } from './discovered.ts';

/** Everything is resolved, and the base case does not hold: each item that does not becomes a new atom, checked by that item. */
export async function extendGoal(search: WorkSearch, given: TreeNode, signal: AbortSignal): Promise<MoveResult> {
  const node = await lookedAt(search, given, signal);
  const own = node && goalFieldsOf(node);
  if (!node || !own) return DROPPED;
  const plan = await planOf(search.store);
  const done = await search.nodes.commit(search.tree.root, signal, async () => {
    let added = 0;
    for (const { item: place, seen = '' } of withWord(own.evidence ?? [], 'contradicted')) {
      const item = itemAt(plan.base_case, place);
      if (!item) continue;
      const title = oneLine(search.show(say.reachedIf({ item: item.item })), 200);
      if (isUnderWay(search, title)) continue;
      const does = search.show(say.reachedIfSeen({ item: item.item, seen }));
      if (await addAtom(search, { title, does, checks: [item] }, { from: node })) added++;
    }
    // Where nothing new can be done about it, a person has to say what.
    const next: GoalFields = { ...own, tries: ended(own, added > 0 ? 'decomposed' : 'failed') };
    await search.nodes.change(node, { own: next as never });
    return added;
  });
  return done === 'gone' ? DROPPED : DONE;
}

/** Tells whether an atom for an item is not resolved yet: a second one would do the same. */
function isUnderWay({ tree }: WorkSearch, title: string): boolean {
  return [...walk(tree.root)].some((each) => each.title === title && atomFieldsOf(each) && each.status !== 'leaf');
}
