import type { MoveResult } from '../../../core/kind/strategy.ts';
import { noted } from '../../../core/messages/message.ts';
import type { Checkout, CommitId, WorkOutcome, Workshop } from '../../../core/ports/workshop.ts';
import { ThoughtTreeError, toThoughtTreeError } from '../../../core/search/errors.ts';
import { oneLine } from '../../../core/text/text.ts';
import { isPruned, type TreeNode, walk } from '../../../core/tree/tree.ts';
import { consequenceOf } from '../../../engine/loop.ts';
import { workStopped } from '../../../engine/messages.ts';
import { allOf, type CheckedWork, type Judged, judge, listed, topLevel } from '../evidence/check-work.ts';
import { sentBack } from '../graph/loop.ts';
import * as say from '../messages.ts';
import { commandsIn } from '../plan/plan.ts';
import type { AtomTask, Probed } from '../roles/roles.ts';
import {
  begunWith,
  changeAtom,
  documentIn,
  type Failed,
  failAtom,
  keepWork,
  type Left,
  removeCheckout,
  startOver,
  taskOf,
} from './atom-changes.ts';
import { withEvidence } from './documents.ts';
import { proposeDiscovered } from './lay-out.ts';
import { type AtomFields, begun, ended, lastOf, type Work } from './own-fields.ts';
import {
  atomFieldsOf,
  checkoutName,
  DONE,
  DROPPED,
  isOpen,
  lookedAt,
  planOf,
  shopOf,
  type WorkSearch,
} from './work-search.ts';

/** The time that the command of an atom may take, in milliseconds. */
const WORK_MS = 60 * 60 * 1000;
const LONGEST_SEEN = 400;
const MOST_ARTIFACTS = 50;

/** The outcome of one try: work, or why there is none. */
type Outcome = { readonly left: Left } | { readonly failed: Failed };

/**
 * Works on an atom in a checkout of its own: by its command, or by a model. What is left is a commit in node.json, which is
 * joined by another move.
 */
export async function workOn(
  search: WorkSearch,
  given: TreeNode,
  iteration: number,
  signal: AbortSignal,
): Promise<MoveResult> {
  const node = await lookedAt(search, given, signal);
  const own = node && atomFieldsOf(node);
  if (!node || !own || !isOpen(node) || own.work) return DROPPED;
  search.history.note({ type: 'progress', ...noted(say.working({ name: own.name, title: node.title })) });
  return await search.nodes.work(node, signal, () => tryOnce(search, node, own, iteration, signal));
}

async function tryOnce(
  search: WorkSearch,
  node: TreeNode,
  own: AtomFields,
  iteration: number,
  signal: AbortSignal,
): Promise<MoveResult> {
  await search.ready(signal);
  const by = own.run === undefined ? undefined : 'command';
  const now = await begunWith(search, node);
  const started: AtomFields = { ...own, tries: begun(own, iteration, by, now) };
  await changeAtom(search, node, started, { status: 'in-progress' });
  const checkout = await checkoutFor(search, node, own, now, signal);
  const outcome = await attempt(search, node, started, checkout, signal);
  const result = await search.nodes.commit(node, signal, async () => {
    const current = { ...(atomFieldsOf(node) ?? started), tries: started.tries };
    if ('left' in outcome) await keepWork(search, node, current, outcome.left);
    else await failAtom(search, node, current, outcome.failed);
  });
  // A worker may go on in its checkout, also if the work does not hold; a command begins anew.
  if (own.run !== undefined) await checkout.remove();
  return result === 'gone' ? DROPPED : DONE;
}

/**
 * A command is not known to be able to go on where it was stopped: it begins anew. So does a worker whose last try began with
 * something else than this one.
 */
async function checkoutFor(
  search: WorkSearch,
  node: TreeNode,
  { run, tries }: AtomFields,
  now: string,
  signal: AbortSignal,
): Promise<Checkout> {
  const shop = await search.ready(signal);
  const checkout = await shop.checkout(checkoutName(node), signal);
  const isAsBegun = (tries?.at(-1)?.begunWith ?? now) === now;
  if (!checkout.isContinued || (run === undefined && isAsBegun)) return checkout;
  await checkout.remove();
  return await shop.checkout(checkoutName(node), signal);
}

/** @throws ThoughtTreeError only for what stops the search, or the move */
async function attempt(
  search: WorkSearch,
  node: TreeNode,
  own: AtomFields,
  checkout: Checkout,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    return await (own.run === undefined
      ? workByModel(search, node, own, checkout, signal)
      : runCommand(search, own.run, checkout, signal));
  } catch (error) {
    if (consequenceOf(error) !== 'fail') throw error;
    const { reason, say: why } = toThoughtTreeError(error);
    return { failed: { as: 'failed', seen: search.show(why), reason, isFinal: reason === 'outside' } };
  }
}

async function runCommand(search: WorkSearch, line: string, checkout: Checkout, signal: AbortSignal): Promise<Outcome> {
  const outcome = await checkout.run({ line, rights: 'write', timeoutMs: WORK_MS }, signal);
  if (outcome.stopped === 'search') throw new ThoughtTreeError('aborted', workStopped(), { charged: false });
  const failed = failureOf(search, line, outcome);
  if (failed) return { failed };
  const commit = await checkout.commit(line.slice(0, 200));
  const summary = search.show(say.workDone({ line: line.slice(0, 500) }));
  return {
    left: {
      work: {
        base: checkout.base,
        ...(commit && { commit }),
        by: 'command',
        summary,
        artifacts: await pathsIn(search, checkout, commit),
      },
      evidence: [],
      log: outcome.output,
    },
  };
}

function failureOf(
  search: WorkSearch,
  line: string,
  { exitCode, stopped, strayed, output }: WorkOutcome,
): Failed | undefined {
  const seen = lastOf(output, LONGEST_SEEN);
  if (strayed.length > 0) {
    const told = search.show(say.strayed({ paths: listed(strayed) }));
    return { as: 'failed', seen: told, isFinal: true, reason: 'outside' };
  }
  if (exitCode === 0) return undefined;
  const shown = line.slice(0, 200);
  const told =
    exitCode === undefined
      ? say.commandStopped({ line: shown, why: stopped ?? '', seen })
      : say.commandFailed({ line: shown, code: exitCode, seen });
  return { as: 'failed', seen: search.show(told) };
}

/** Returns the files that a commit changed. */
async function pathsIn({ workshop }: WorkSearch, { base }: Checkout, commit: string | undefined): Promise<string[]> {
  if (commit === undefined || !workshop) return [];
  const { files } = await workshop.diff(base, commit);
  return files.slice(0, MOST_ARTIFACTS).map(({ path }) => path.slice(0, 500));
}

/** Returns what a worker may run: its own checks; held in the checkout, also those of the goal in the end. */
function commandsFor(search: WorkSearch, { fields, plan }: AtomTask): string[] {
  const items = [...(fields.checks ?? []), ...(shopOf(search).isolation.sandbox ? plan.base_case : [])];
  return [...new Set(commandsIn(items))];
}

async function workByModel(
  search: WorkSearch,
  node: TreeNode,
  own: AtomFields,
  checkout: Checkout,
  signal: AbortSignal,
): Promise<Outcome> {
  const { work } = search.roles;
  if (!work) throw new ThoughtTreeError('bad-input', say.noWorker({ name: own.name }));
  const task = await taskOf(search, node, own);
  const worked = await work(task, checkout, commandsFor(search, task), signal);
  const by = worked.by.slice(0, 100);
  await proposeDiscovered(search, node, worked.discovered, signal);
  if (!worked.success) {
    const seen = lastOf(worked.summary || search.show(say.saidNo()), LONGEST_SEEN);
    return { failed: { as: 'failed', seen } };
  }
  const commit = await checkout.commit(`${own.name} ${node.title}`.slice(0, 200));
  const artifacts = worked.artifacts.slice(0, MOST_ARTIFACTS).map((each) => each.slice(0, 500));
  const summary = worked.summary.slice(0, 2000);
  return {
    left: {
      work: { base: checkout.base, ...(commit && { commit }), by, summary, artifacts },
      evidence: worked.evidence,
      details: worked.details,
    },
  };
}

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
    const done = await search.nodes.commit(node, signal, () => keepFindings(search, node, started, answer));
    return done === 'gone' ? DROPPED : DONE;
  });
}

async function keepFindings(
  search: WorkSearch,
  node: TreeNode,
  own: AtomFields,
  answer: Probed | string,
): Promise<void> {
  const current = { ...(atomFieldsOf(node) ?? own), tries: own.tries };
  if (typeof answer === 'string') return await failAtom(search, node, current, { as: 'failed', seen: answer });
  const findings = answer.findings.slice(0, LONGEST_FINDINGS).toWellFormed();
  const probed: AtomFields = { ...current, probe: { feasible: answer.feasible, findings } };
  if (answer.feasible)
    return await changeAtom(search, node, { ...probed, tries: ended(current, 'probed') }, { status: 'unexpanded' });
  const seen = search.show(say.notFeasible({ findings: findings.slice(0, 500) }));
  await failAtom(search, node, probed, { as: 'infeasible', seen, isFinal: true });
}

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

/** Returns the fields as they are now: a person may have changed some meanwhile. */
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
