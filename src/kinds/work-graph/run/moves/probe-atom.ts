import type { MoveResult } from '../../../../core/kind/strategy.ts';
import type { CommitId } from '../../../../core/ports/workshop.ts';
import { ThoughtTreeError, toThoughtTreeError } from '../../../../core/search/errors.ts';
import type { TreeNode } from '../../../../core/tree/tree.ts';
import { consequenceOf } from '../../../../engine/loop/consequence.ts';
import type { Probed } from '../../roles/roles.ts';
import * as say from '../messages.ts';
import type { AtomFields } from '../tree/own-fields.ts';
import { begun, ended } from '../tree/tries.ts';
import { atomFieldsOf, checkoutName, DONE, DROPPED, isOpen, lookedAt, type WorkSearch } from '../work-search.ts';
import { changeAtom, failAtom } from './atom-changes.ts';
import { taskOf } from './atom-task.ts';

const LONGEST_FINDINGS = 3000;

/** Finds out whether an atom can be done, in a checkout that is only read. What cannot be done has failed. */
export async function probeAtom(
  search: WorkSearch,
  given: TreeNode,
  iteration: number,
  signal: AbortSignal,
): Promise<MoveResult> {
  const node = await lookedAt(search, given, signal);
  const own = node && atomFieldsOf(node);
  if (!node || !own || !isOpen(node) || own.work) return DROPPED;
  const { probe } = search.roles;
  if (!probe) throw new ThoughtTreeError('bad-input', say.noWorker({ name: own.name }));
  return await search.nodes.work(node, signal, async () => {
    const shop = await search.ready(signal);
    const started: AtomFields = { ...own, tries: begun(own, iteration) };
    await changeAtom(search, node, started, { status: 'in-progress' });
    const checkout = await shop.checkout(`probe-${checkoutName(node)}`, signal, (await shop.tip()) as CommitId);
    const answer = await (async (): Promise<Probed | string> => {
      try {
        return await probe(await taskOf(search, node, own), checkout, signal);
      } catch (error) {
        if (consequenceOf(error) !== 'fail') throw error;
        return search.show(toThoughtTreeError(error).say);
      } finally {
        await checkout.remove();
      }
    })();
    const done = await search.nodes.commit(node, signal, () => keep(search, node, started, answer));
    return done === 'gone' ? DROPPED : DONE;
  });
}

async function keep(search: WorkSearch, node: TreeNode, own: AtomFields, answer: Probed | string): Promise<void> {
  const current = { ...(atomFieldsOf(node) ?? own), tries: own.tries };
  if (typeof answer === 'string') return await failAtom(search, node, current, { as: 'failed', seen: answer });
  const findings = answer.findings.slice(0, LONGEST_FINDINGS).toWellFormed();
  const probed: AtomFields = { ...current, probe: { feasible: answer.feasible, findings } };
  if (answer.feasible)
    return await changeAtom(search, node, { ...probed, tries: ended(current, 'probed') }, { status: 'unexpanded' });
  const seen = search.show(say.notFeasible({ findings: findings.slice(0, 500) }));
  await failAtom(search, node, probed, { as: 'infeasible', seen, isFinal: true });
}
