import type { MoveResult } from '../../../../core/kind/strategy.ts';
import { noted } from '../../../../core/messages/kept.ts';
import type { Checkout, WorkOutcome } from '../../../../core/ports/workshop.ts';
import { ThoughtTreeError, toThoughtTreeError } from '../../../../core/search/errors.ts';
import type { TreeNode } from '../../../../core/tree/tree.ts';
import { consequenceOf } from '../../../../engine/loop/consequence.ts';
import { workStopped } from '../../../../engine/messages.ts';
import { listed } from '../../evidence/look-at-check.ts';
import { commandsIn } from '../../plan/commands.ts';
import type { AtomTask } from '../../roles/roles.ts';
import * as say from '../messages.ts';
import type { AtomFields } from '../tree/own-fields.ts';
import { begun, shortened } from '../tree/tries.ts';
import {
  atomFieldsOf,
  checkoutName,
  DONE,
  DROPPED,
  isOpen,
  lookedAt,
  shopOf,
  type WorkSearch,
} from '../work-search.ts';
import { changeAtom, type Failed, failAtom, keepWork, type Left } from './atom-changes.ts';
import { begunWith, taskOf } from './atom-task.ts';
import { proposeDiscovered } from './discovered.ts';

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
  const seen = shortened(output, LONGEST_SEEN);
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

/** The files that a commit changed. */
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
    const seen = shortened(worked.summary || search.show(say.saidNo()), LONGEST_SEEN);
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
