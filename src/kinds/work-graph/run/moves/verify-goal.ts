import type { MoveResult } from '../../../../core/kind/strategy.ts';
import { noted } from '../../../../core/messages/kept.ts';
import type { CommitId } from '../../../../core/ports/workshop.ts';
import type { TreeNode } from '../../../../core/tree/tree.ts';
import { pathOf } from '../../../../core/tree/tree.ts';
import { CheckPlace } from '../../evidence/check-place.ts';
import { bounded, isVerified } from '../../evidence/combine.ts';
import { Findings } from '../../evidence/look-at-items.ts';
import * as say from '../messages.ts';
import { planOf } from '../plan-of.ts';
import { withEvidence } from '../tree/node-document.ts';
import type { Evidence, GoalFields, Try } from '../tree/own-fields.ts';
import { begun, ended } from '../tree/tries.ts';
import { DONE, DROPPED, fitting, goalFieldsOf, lookedAt, type WorkSearch } from '../work-search.ts';

const MOST_EVIDENCE = 200;

/** Looks whether the base case holds in the accepted work, by ourselves. What a person said counts as long as the work is the same. */
export async function verifyGoal(
  search: WorkSearch,
  given: TreeNode,
  iteration: number,
  signal: AbortSignal,
): Promise<MoveResult> {
  const node = await lookedAt(search, given, signal);
  const own = node && goalFieldsOf(node);
  // An item that held once is looked at again, too, if more was done since.
  if (!node || !own) return DROPPED;
  const { nodes, history, store } = search;
  history.note({ type: 'progress', ...noted(say.verifying()) });
  const shop = await search.ready(signal);
  const plan = await planOf(store);
  const tip = (await shop.tip()) as CommitId;
  const tries = begun(own, iteration);
  const place = new CheckPlace(shop, tip, signal);
  const asserted = (own.evidence ?? []).filter(({ by, commit }) => by !== undefined && commit === tip);
  const findings = new Findings({ search, plan, commit: tip, place, signal });
  const evidence = bounded(await findings.of(plan.base_case, asserted), MOST_EVIDENCE);
  const done = await nodes.commit(node, signal, () => keep(search, node, { ...own, tries }, evidence));
  return done === 'gone' ? DROPPED : DONE;
}

async function keep(
  { nodes, store, show }: WorkSearch,
  node: TreeNode,
  own: GoalFields & { tries: Try[] },
  evidence: Evidence[],
): Promise<void> {
  const holds = isVerified(evidence);
  const tries = ended(own, holds ? 'resolved' : 'contradicted');
  const plan = await planOf(store);
  const before = (await store.readDocument(pathOf(node))) ?? `# ${show(say.baseCase())}\n`;
  const document = withEvidence(before, plan.base_case, evidence);
  const next = fitting({ ...own, tries, evidence });
  const ends = holds ? ({ status: 'leaf', leafReason: 'solved' } as const) : ({ status: 'unexpanded' } as const);
  await nodes.change(node, { ...ends, own: next as never }, { document });
}
