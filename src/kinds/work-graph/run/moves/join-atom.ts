import type { MoveResult } from '../../../../core/kind/strategy.ts';
import { noted } from '../../../../core/messages/kept.ts';
import type { CommitId, Workshop } from '../../../../core/ports/workshop.ts';
import { oneLine } from '../../../../core/text/text.ts';
import { isPruned, type TreeNode, walk } from '../../../../core/tree/tree.ts';
import { type CheckedWork, type Judged, judge } from '../../evidence/check-work.ts';
import { allOf, topLevel } from '../../evidence/combine.ts';
import { listed } from '../../evidence/look-at-check.ts';
import { sentBack } from '../../graph/loop.ts';
import * as say from '../messages.ts';
import { planOf } from '../plan-of.ts';
import { withEvidence } from '../tree/node-document.ts';
import type { AtomFields, Work } from '../tree/own-fields.ts';
import { ended } from '../tree/tries.ts';
import { atomFieldsOf, DONE, DROPPED, isOpen, lookedAt, type WorkSearch } from '../work-search.ts';
import { changeAtom, documentIn, failAtom, removeCheckout, startOver } from './atom-changes.ts';
import { begunWith } from './atom-task.ts';

/** Work on an atom that is joined. */
interface Joining {
  readonly search: WorkSearch;
  readonly shop: Workshop;
  readonly node: TreeNode;
  readonly own: AtomFields;
  readonly work: Work;
  readonly signal: AbortSignal;
}

/**
 * Makes work a part of the accepted work, if it holds there: joined with the tip, its own checks and those of all atoms that
 * were joined before. If it does not, the atom that caused it is open again, with what was seen.
 */
export async function joinAtom(search: WorkSearch, given: TreeNode, signal: AbortSignal): Promise<MoveResult> {
  const node = await lookedAt(search, given, signal);
  const own = node && atomFieldsOf(node);
  if (!node || !own?.work || !isOpen(node)) return DROPPED;
  search.history.note({ type: 'progress', ...noted(say.joining({ name: own.name, title: node.title })) });
  const shop = await search.ready(signal);
  return await search.nodes.work(node, signal, () =>
    joinOnce({ search, shop, node, own, work: own.work as Work, signal }),
  );
}

async function joinOnce(joining: Joining): Promise<MoveResult> {
  const { search, shop, node, own, work, signal } = joining;
  if (await isObsolete(joining)) return await give(joining, async () => undefined);
  const tip = (await shop.tip()) as CommitId;
  const title = `${own.name} ${oneLine(node.title, 150)}`;
  const joined =
    work.commit === undefined
      ? ({ isJoined: true, commit: tip } as const)
      : await shop.join({ base: work.base, commit: work.commit }, title);
  if (!joined.isJoined) {
    const seen = search.show(say.conflictIn({ paths: listed(joined.conflicts) }));
    return await give(joining, () => reopen(joining, 'conflict', { evidence: [], against: seen }));
  }
  const candidate = joined.commit;
  const plan = await planOf(search.store);
  const earlier = earlierThan(search, node);
  const judged = await judge({ search, plan, node, own, work, candidate, earlier, signal });
  if (judged.against !== undefined) return await give(joining, () => reopen(joining, 'contradicted', judged));
  if (allOf(topLevel(judged.evidence).map(({ word }) => word)) !== 'verified')
    return await give(joining, () => waitForPerson(joining, judged));
  return await give(joining, async () => {
    // A kill after this leaves work that is joined again: nothing is left to change then.
    if (candidate !== tip) await shop.advance(tip, candidate);
    await resolve(joining, judged, candidate);
  });
}

/** Settles what becomes of the work, if the atom still asks for what it was begun with; otherwise, it is begun anew. */
async function give(joining: Joining, settle: () => Promise<void>): Promise<MoveResult> {
  const { search, node, signal } = joining;
  const done = await search.nodes.commit(node, signal, async () =>
    (await isObsolete(joining)) ? await startOver(search, node) : await settle(),
  );
  return done === 'gone' ? DROPPED : DONE;
}

/** Tells whether the atom asks for something else by now, or for the same of something else. */
async function isObsolete({ search, node }: Joining): Promise<boolean> {
  const last = atomFieldsOf(node)?.tries?.at(-1);
  return last?.begunWith !== undefined && last.begunWith !== (await begunWith(search, node));
}

/** The atoms that are part of the accepted work and of the goal, with their checks, in the order of the tree. */
function earlierThan({ tree }: WorkSearch, node: TreeNode): CheckedWork['earlier'] {
  return [...walk(tree.root)].flatMap((each) => {
    const own = each === node || isPruned(each) ? undefined : atomFieldsOf(each);
    return own?.joined !== undefined && own.checks ? [{ name: own.name, checks: own.checks }] : [];
  });
}

/** The fields as they are now: a person may have changed some meanwhile. */
function nowOf({ node, own }: Joining): AtomFields {
  return atomFieldsOf(node) ?? own;
}

async function resolve(joining: Joining, { evidence }: Judged, commit: CommitId): Promise<void> {
  const { search, node, work } = joining;
  const own = nowOf(joining);
  const tries = ended(own, 'resolved');
  const next: AtomFields = { ...own, tries, evidence: [...evidence], joined: commit };
  const document = withEvidence(await documentIn(search, node), own.checks ?? [], evidence);
  const summary = oneLine(work.summary, 300) || node.title;
  await changeAtom(search, node, next, { status: 'leaf', leafReason: 'model', summary, failure: null }, document);
  await removeCheckout(search, node);
}

/** Its work stays as it is; whatever could be found out is kept. */
async function waitForPerson(joining: Joining, { evidence }: Judged): Promise<void> {
  const { search, node } = joining;
  const own = nowOf(joining);
  const document = withEvidence(await documentIn(search, node), own.checks ?? [], evidence);
  await changeAtom(search, node, { ...own, evidence: [...evidence] }, { status: 'unexpanded' }, document);
}

async function reopen(joining: Joining, as: 'conflict' | 'contradicted', judged: Judged): Promise<void> {
  const { search, node } = joining;
  const { evidence, against: seen = '' } = judged;
  const own = nowOf(joining);
  const document = withEvidence(await documentIn(search, node), own.checks ?? [], evidence);
  await failAtom(search, node, own, { as, seen, evidence, document });
  const tries = atomFieldsOf(node)?.tries ?? [];
  // Whoever did it goes on from there; what is in conflict is done anew on the tip.
  const goesOn = as === 'contradicted' && sentBack(tries).at(-1) === tries.at(-1);
  if (!goesOn) await removeCheckout(search, node);
}
