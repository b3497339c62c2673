import * as z from 'zod';
import type { Move, MoveResult } from '../../../core/kind/strategy.ts';
import { foreign, kept, type Message } from '../../../core/messages/message.ts';
import { wrongField } from '../../../core/messages/wrong-field.ts';
import type { OfferDraft } from '../../../core/offers/offer.ts';
import type { AnswerProblem, Verdict } from '../../../core/offers/verdict.ts';
import { CommitId } from '../../../core/ports/workshop.ts';
import { toThoughtTreeError } from '../../../core/search/errors.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import type { NodeId } from '../../../core/tree/tree-node.ts';
import type {
  Actions,
  AnsweredOffer,
  Executor,
  Executors,
  OfferProtocol,
  SearchContext,
} from '../../../engine/context.ts';
import { type KindRun, PLAIN_RUN } from '../../../engine/kind.ts';
import { consequenceOf } from '../../../engine/loop.ts';
import { OFFERING } from '../../../engine-parts/offers/offering-actions.ts';
import { acceptActions } from '../actions/accept.ts';
import {
  acceptProposalWith,
  addAlternativeWith,
  assertWith,
  checkAgainWith,
  doMyselfWith,
  goOnWith,
  retryWith,
} from '../actions/decide.ts';
import { redirectWith } from '../actions/redirect.ts';
import * as say from '../messages.ts';
import type { PlanFile } from '../plan/plan.ts';
import type { Roles } from '../roles/roles.ts';
import { workMessage, workResults, workSaid, writeWorkReport } from '../show/report.ts';
import { begunWith, failAtom, keepWork, taskOf } from './atom-changes.ts';
import { joinAtom, probeAtom, workOn } from './atom-moves.ts';
import { extendGoal, rest, switchGroup, verifyGoal } from './goal-moves.ts';
import { adopt, completeLayOut, decomposeAtom, layOut } from './lay-out.ts';
import { type GraphMove, type GraphMoveKind, TAKES_SLOT } from './moves-under-way.ts';
import { type AtomFields, begun, type Evidence, lastOf } from './own-fields.ts';
import { prepare, Readiness } from './readiness.ts';
import { graphFacts, iterationOfAnswer, WorkGraphStrategy } from './strategy.ts';
import { atomFieldsOf, checkoutName, DROPPED, isOpen, planIn, shopOf, type WorkSearch } from './work-search.ts';

/** Opens a search for a goal. @param roles what its models can do */
export async function openWorkGraph(ctx: SearchContext, roles: Roles): Promise<KindRun> {
  const readiness = new Readiness(ctx);
  let limits: PlanFile['limits'] | undefined;
  const readLimits = async (): Promise<void> => {
    limits = (await planIn(ctx.store))?.limits;
  };
  // A plan that cannot be read is reported once it is needed: a search can still be looked at.
  await readLimits().catch(() => undefined);
  const ready: WorkSearch['ready'] = async (signal) => {
    const shop = await readiness.ready(signal);
    await readLimits();
    return shop;
  };
  const search: WorkSearch = { ...ctx, roles, ready };
  return {
    ...PLAIN_RUN,
    strategy: new WorkGraphStrategy(graphFacts(ctx, roles, () => limits)),
    executors: workExecutors(search),
    offers: workOffers(search, () => iterationOfAnswer(ctx)),
    actions: { ...OFFERING, ...workActions(search) },
    prepare: (show, making) => prepare(search, show, making),
    takeUp: () => completeLayOut(search),
    writeReport: (results) => writeWorkReport(search, results),
    findings: {
      results: () => ({ ...workResults(search), ...kept(workSaid(search)) }),
      message: () => workMessage(search),
    },
  };
}

type Run = (node: TreeNode, move: GraphMove, signal: AbortSignal) => Promise<MoveResult>;

/** Returns the executors of the moves that are about one node. */
function runs(search: WorkSearch): Readonly<Record<Exclude<GraphMoveKind, 'offer-work' | 'rest'>, Run>> {
  const taken = ({ iteration = 1 }: GraphMove): number => iteration;
  return {
    'lay-out': (_root, _move, signal) => layOut(search, signal),
    work: (node, move, signal) => workOn(search, node, taken(move), signal),
    probe: (node, move, signal) => probeAtom(search, node, taken(move), signal),
    decompose: (node, move, signal) => decomposeAtom(search, node, taken(move), signal),
    join: (node, _move, signal) => joinAtom(search, node, signal),
    switch: (node, move, signal) => switchGroup(search, node, move, signal),
    verify: (node, move, signal) => verifyGoal(search, node, taken(move), signal),
    extend: (node, _move, signal) => extendGoal(search, node, signal),
  };
}

/** Returns the executors of a work graph. */
function workExecutors(search: WorkSearch): Executors {
  const nodeOf = ({ nodes }: Move): TreeNode | undefined => search.tree.get(nodes[0] as NodeId);
  const ours = Object.entries(runs(search)).map(([kind, run]): [string, Executor] => [
    kind,
    {
      needsSlot: TAKES_SLOT[kind as GraphMoveKind],
      isWork: kind === 'join',
      run: async (move, signal) => {
        const node = nodeOf(move);
        if (!node) return DROPPED;
        await adopt(search, node);
        return await run(node, move as GraphMove, signal);
      },
    },
  ]);
  return {
    ...Object.fromEntries(ours),
    rest: { needsSlot: false, run: (move) => rest(search, (move as GraphMove).why ?? { kind: 'base-case' }) },
    'offer-work': {
      offer: async (move, signal) => {
        const node = nodeOf(move) ?? search.tree.root;
        await adopt(search, node);
        return await offerOf(search, node, signal);
      },
    },
  };
}

function workActions(search: WorkSearch): Actions {
  return {
    ...acceptActions,
    assert: assertWith(search),
    'check-again': checkAgainWith(search),
    'do-myself': doMyselfWith(search),
    'accept-proposal': acceptProposalWith(search),
    'add-alternative': addAlternativeWith(search),
    redirect: redirectWith(search),
    'go-on': goOnWith(search),
    retry: retryWith(search),
  } as Actions;
}

// Atoms that somebody outside works on: a person, or an agent that is not ours. The offer says what is to be done, and where.

/** The time that an agent may keep an atom, in milliseconds. */
const AGENTS_MS = 60 * 60 * 1000;
/** The longest offer as JSON, in characters. */
const LONGEST_ASK = 40_000;

const FORM = '{"summary": "…", "artifacts": ["path"], "success": true, "seen": "…"}';

/** The word of whoever worked on an atom. Their changes are in the checkout. */
const Answer = z.object({
  summary: z.string().trim().min(1).max(20_000),
  artifacts: z.array(z.string().max(500)).max(100).default([]),
  /** True if they say that it is done. */
  success: z.boolean().default(true),
  /** Why it is not. */
  seen: z.string().max(20_000).optional(),
});

/** What the atom asked for when it was offered. */
const Begun = z.object({ begunWith: z.string().max(100).optional() });

/** An answer as it is kept: with the commit that was made of the checkout. */
const Kept = z.object({
  ...Answer.shape,
  base: CommitId,
  commit: CommitId.optional(),
  /** The number of earlier tries of the atom. */
  tries: z.int().nonnegative(),
  iteration: z.int().min(1),
  ...Begun.shape,
});
type Kept = z.infer<typeof Kept>;

/** Describes an atom for somebody outside, and makes the checkout in which they work. */
async function offerOf(search: WorkSearch, node: TreeNode, signal: AbortSignal): Promise<OfferDraft> {
  const own = atomFieldsOf(node) ?? { type: 'atom' as const, name: node.slug };
  const shop = await search.ready(signal);
  const { plan, bindings, seen } = await taskOf(search, node, own);
  const checkout = await shop.checkout(checkoutName(node), signal);
  const { goal, constraints } = plan;
  const { name, does, checks, touches } = own;
  const ask = {
    atom: name,
    title: node.title,
    ...(does !== undefined && { does }),
    checks,
    touches,
    goal: goal.slice(0, 4000),
    constraints: constraints.slice(0, 20),
    bindings,
    seen,
    folder: checkout.folder,
    base: checkout.base,
    begunWith: await begunWith(search, node),
    answer: FORM,
  };
  return { ask: withinBounds(ask), ...(own.by === 'person' ? {} : { expiresMs: AGENTS_MS }) };
}

function withinBounds<T extends { readonly bindings: readonly { artifacts: readonly string[]; summary: string }[] }>(
  ask: T,
): unknown {
  const cuts = [
    ask,
    { ...ask, bindings: ask.bindings.map((each) => ({ ...each, artifacts: each.artifacts.slice(0, 5) })) },
    {
      ...ask,
      bindings: ask.bindings
        .slice(0, 20)
        .map((each) => ({ ...each, artifacts: [], summary: each.summary.slice(0, 300) })),
    },
    { ...ask, bindings: [], seen: [], checks: undefined },
  ].map((each) => JSON.stringify(each));
  return JSON.parse(cuts.find((each) => each.length <= LONGEST_ASK) ?? (cuts.at(-1) as string));
}

/**
 * Checks and applies answers.
 * @param iteration the one that an answer belongs to, now
 */
function workOffers(search: WorkSearch, iteration: () => number): OfferProtocol {
  return {
    async check(answers): Promise<Verdict> {
      const problems: AnswerProblem[] = [];
      const results: unknown[] = [];
      for (const answer of answers) {
        const kept = await keptOf(search, answer, iteration());
        if ('key' in kept) problems.push({ offer: answer.offer.id, reason: 'bad-input', say: kept as Message });
        else results.push(kept);
      }
      return problems.length > 0 ? { ok: false, problems } : { ok: true, results };
    },
    async apply(answers, by) {
      for (const { nodes, result } of answers) {
        const kept = Kept.safeParse(result).data;
        if (nodes[0] && kept) await applyTo(search, nodes[0], kept, by);
      }
      return { atoms: answers.map(({ nodes }) => (nodes[0] ? (atomFieldsOf(nodes[0])?.name ?? '') : '')) };
    },
  };
}

/** Returns an answer as it is to be kept, or what is wrong with it. Its commit does nothing until it is joined. */
async function keptOf(
  search: WorkSearch,
  { offer, nodes, result }: AnsweredOffer,
  iteration: number,
): Promise<Kept | Message> {
  const answer = Answer.safeParse(result);
  if (!answer.success) return say.wrongHandedIn({ form: FORM, why: wrongField(answer.error) });
  const [node] = nodes;
  const own = node && atomFieldsOf(node);
  if (!node || !own || !isOpen(node) || own.work) return say.notToDo({ name: own?.name ?? node?.slug ?? '' });
  const tries = own.tries?.length ?? 0;
  const { signal } = new AbortController();
  try {
    const checkout = await shopOf(search).checkout(checkoutName(node), signal);
    const commit = answer.data.success ? await checkout.commit(`${own.name} ${node.title}`.slice(0, 200)) : undefined;
    const given = { base: checkout.base, ...(commit && { commit }), ...Begun.safeParse(offer.ask).data };
    return { ...answer.data, ...given, tries, iteration };
  } catch (error) {
    if (consequenceOf(error) === 'lost' || consequenceOf(error) === 'store') throw error;
    return foreign({ text: search.show(toThoughtTreeError(error).say) });
  }
}

/** Repeated after a kill, it changes nothing: the atom then has one more try than before. */
async function applyTo(search: WorkSearch, node: TreeNode, kept: Kept, given: string): Promise<void> {
  const own = atomFieldsOf(node);
  if (!own || !isOpen(node) || own.work || (own.tries?.length ?? 0) > kept.tries) return;
  const by = given.slice(0, 100);
  const asked = kept.begunWith ?? (await begunWith(search, node));
  const next: AtomFields = { ...own, tries: begun(own, kept.iteration, by, asked) };
  if (!kept.success) {
    const seen = lastOf(kept.seen ?? kept.summary, 400);
    return await failAtom(search, node, next, { as: 'failed', seen });
  }
  const { base, commit, artifacts } = kept;
  const summary = kept.summary.slice(0, 2000).toWellFormed();
  const evidence = (own.checks ?? []).map((_, i): Evidence => ({ item: String(i), word: 'reported' }));
  const work = { base, ...(commit && { commit }), by, summary, artifacts: artifacts.slice(0, 50) };
  const details = kept.summary.length > 2000 ? kept.summary : undefined;
  await keepWork(search, node, next, { work, evidence, details });
}
