import * as z from 'zod';
import type { Move, SearchEnd, Strategy } from '../../../core/kind/strategy.ts';
import { foreign } from '../../../core/messages/message.ts';
import type { AnswerProblem, Verdict } from '../../../core/offers/verdict.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { oneLine } from '../../../core/text/text.ts';
import { childSlug } from '../../../core/tree/slug.ts';
import { isPruned, pathOf, type Tree, type TreeNode } from '../../../core/tree/tree.ts';
import type {
  Acting,
  Action,
  Actions,
  AnsweredOffer,
  Executors,
  OfferingExecutor,
  OfferProtocol,
  SearchContext,
} from '../../../engine/context.ts';
import type { Child } from '../../../engine/nodes.ts';
import { commit, reclassify } from '../protocol/commit.ts';
import {
  type AcceptedResult,
  type Change,
  changed,
  type Investigation,
  isProtocolFault,
  type Proposal,
  type ProtocolError,
  roundOf,
} from '../protocol/investigation.ts';
import { profileOf, type State, statesOf } from '../protocol/profiles.ts';
import { propose } from '../protocol/propose.ts';
import { commitReply, end, endReply, proposeReply, type Reply, reclassifyReply } from '../protocol/replies.ts';
import { Call, CommitArgs, ConcludeArgs, ProposeArgs, ReclassifyArgs } from './call-schemas.ts';
import { CALL, type KeptCall, keptCallOf, type OwnFields } from './kept-data.ts';
import {
  findingsDocument,
  investigationIn,
  type Lead,
  leadsIn,
  readFindings,
  setupIn,
  summaryOf,
  titleOf,
  withoutState,
} from './read-investigation.ts';

/** The next call of an investigation is its one offer: every call answers it, and is kept as a whole before it counts. */
export function callExecutors({ file }: SearchContext): Executors {
  const { profile, sessionId } = setupIn(file);
  return { [CALL]: { offer: () => ({ ask: { question: file.prompt, profile, sessionId } }) } };
}

/** Returns the protocol that checks and applies calls. */
export function callOffers(ctx: SearchContext): OfferProtocol {
  return {
    check: (answers) => {
      const [answer, ...others] = answers;
      if (!answer || others.length > 0) return refused(answer, ['An investigation takes one call at a time.']);
      return checkCall(ctx, answer);
    },
    apply: async (answers, by) => {
      for (const { result } of answers) {
        const kept = keptCallOf(result);
        if (kept) await applyCall(ctx, kept, by);
      }
      return {};
    },
  };
}

function checkCall(ctx: SearchContext, answer: AnsweredOffer): Verdict {
  const { data: call } = Call.safeParse(answer.result);
  if (!call) return refused(answer, ['A call is {"do": "propose" | "commit" | "reclassify" | "end", …}.']);
  const at = investigationIn(ctx.file, ctx.tree, ctx.history.past);
  const states: readonly string[] = statesOf(profileOf(at));
  const asked =
    call.do === 'commit' ? call.results.map(({ state }) => state) : call.do === 'reclassify' ? [call.state] : [];
  const unknown = asked.find((state) => !states.includes(state));
  if (unknown !== undefined)
    return refused(answer, [`There is no state "${unknown}"; there are ${states.join(', ')}.`]);
  try {
    const { change, reply } = outcomeOf(at, call, ctx.clock.now());
    if (change) return { ok: true, results: [keptOf(ctx, change)] };
    const errors = (reply['errors'] ?? []) as ProtocolError[];
    return refused(
      answer,
      errors.length > 0 ? errors.map(({ error, message }) => `${error}: ${message}`) : [String(reply['reason'])],
    );
  } catch (error) {
    if (isProtocolFault(error)) return refused(answer, [error.message]);
    throw error;
  }
}

function refused(answer: AnsweredOffer | undefined, texts: readonly string[]): Verdict {
  const offer = answer?.offer.id ?? '';
  const problems = texts.map((text): AnswerProblem => ({ offer, reason: 'bad-input', say: foreign({ text }) }));
  return { ok: false, problems };
}

/** Returns a change as it is kept: with the names of the folders that are made from it. */
function keptOf(ctx: SearchContext, change: Change): KeptCall {
  return { change, slugs: change.do === 'propose' ? slugsFor(ctx, change.nodes) : {} };
}

function slugsFor({ tree, file }: SearchContext, proposals: readonly Proposal[]): Record<string, string> {
  const leads = new Map(leadsIn(tree).map(({ node, own }) => [own.nodeId, node]));
  const taken = new Map<TreeNode, Set<string>>();
  return Object.fromEntries(
    proposals.map(({ id, parent, title }) => {
      const above = (parent === null ? undefined : leads.get(parent)) ?? tree.root;
      const known = leads.get(id);
      if (known?.parent === above) return [id, known.slug];
      const names = taken.get(above) ?? new Set(above.children.map(({ slug }) => slug));
      const slug = childSlug(`${id} ${title}`, pathOf(above), names, file.longestName);
      taken.set(above, names.add(slug));
      return [id, slug];
    }),
  );
}

/** The outcome of a call: what it changes, unless it is refused, and what its caller gets to read. */
interface Outcome {
  readonly change: Change | undefined;
  readonly reply: Reply;
}

/**
 * Returns the protocol's reply to a call, and its change.
 * @param now in milliseconds since 1970
 * @param findings those of all nodes: an end tells them, and another state may ask for sources in them
 * @throws ProtocolFault where the original fails itself
 */
function outcomeOf(
  at: Investigation,
  call: Call,
  now: number,
  findings: ReadonlyMap<string, string> = new Map(),
): Outcome {
  if (call.do === 'propose') {
    const verdict = propose(at, call.nodes, now, { isQuiet: call.quiet === true });
    return { change: verdict.change, reply: proposeReply(at, verdict, call.quiet) };
  }
  if (call.do === 'commit') {
    const { minRounds, allowEarlyTerminal, agents = {}, absent = [] } = call;
    const results = call.results.map((result) => ({
      ...result,
      state: result.state as State,
      agentId: result.agentId ?? undefined,
    }));
    const verdict = commit(at, results, { now, agents, absent: new Set(absent), minRounds, allowEarlyTerminal });
    return { change: verdict.change, reply: commitReply(after(at, verdict.change), verdict) };
  }
  if (call.do === 'reclassify') {
    const verdict = reclassify(at, call.id, call.state as State, findings.get(call.id));
    const next = after(at, verdict.change);
    return { change: verdict.change, reply: reclassifyReply(at, next, call.id, call.state, verdict) };
  }
  const verdict = end(at, call.minRounds);
  return { change: verdict.change, reply: endReply(at, verdict, findings, call.minRounds) };
}

function after(at: Investigation, change: Change | undefined): Investigation {
  return change ? changed(at, change) : at;
}

/** Makes the files of an accepted call. Repeated after a kill, it adds what is missing and changes nothing else. */
async function applyCall(ctx: SearchContext, { change, slugs }: KeptCall, by: string): Promise<void> {
  if (change.do === 'propose') await applyProposals(ctx, change.nodes, slugs, by);
  if (change.do === 'commit') await applyResults(ctx, change.results, change.progress.commits, by);
  if (change.do !== 'reclassify') return;
  const lead = leadOf(ctx, change.id);
  if (lead) await settle(ctx, lead, { state: change.state }, by);
}

/** Returns the node of an investigation with an id; one that stands before one that was taken out. */
function leadOf({ tree }: SearchContext, id: string): Lead | undefined {
  const all = leadsIn(tree).filter(({ own }) => own.nodeId === id);
  return all.find(({ node }) => !isPruned(node)) ?? all[0];
}

async function applyProposals(
  ctx: SearchContext,
  proposals: readonly Proposal[],
  slugs: Readonly<Record<string, string>>,
  by: string,
): Promise<void> {
  const byParent = Map.groupBy(proposals, ({ parent }) => parent);
  for (const [parent, nodes] of byParent) {
    const above = parent === null ? ctx.tree.root : leadOf(ctx, parent)?.node;
    if (!above) continue; // a person removed it
    for (const { id } of nodes) await withdrawElsewhere(ctx, id, above, by);
    const children = nodes.flatMap((node) => {
      const slug = slugs[node.id];
      return slug === undefined ? [] : [childFor(above, slug, node)];
    });
    await ctx.nodes.add(above, children, above.parent ? 'list-first' : 'list-last', { by });
    if (above.status === 'leaf') await ctx.nodes.change(above, { status: 'expanded', leafReason: null }, { by });
  }
}

function childFor(above: TreeNode, slug: string, proposal: Proposal): Child {
  const known = above.children.find((each) => each.slug === slug);
  const { id: nodeId, title: given, plannedAction, proposedAt } = proposal;
  const title = known?.title ?? (oneLine(given, 1000) || 'Untitled');
  const own: OwnFields = {
    nodeId,
    round: roundOf(nodeId),
    plannedAction,
    proposedAt,
    ...(given !== title && { title: given }),
  };
  // Committed before this was repeated: it stays as it is.
  const isCommitted = (known?.file?.own as Partial<OwnFields> | undefined)?.state !== undefined;
  return { slug, title, ...(!isCommitted && { fields: { own } }) };
}

/** Older servers let a node be proposed again below another one: the first proposal is then taken back. */
async function withdrawElsewhere(ctx: SearchContext, id: string, above: TreeNode, by: string): Promise<void> {
  const before = leadsIn(ctx.tree).filter(
    ({ node, own }) => own.nodeId === id && own.state === undefined && node.parent !== above && !isPruned(node),
  );
  for (const { node } of before)
    await ctx.nodes.change(
      node,
      { status: 'pruned', prunedBy: 'constraint', why: 'It was proposed elsewhere.' },
      { by },
    );
}

async function applyResults(
  ctx: SearchContext,
  results: readonly AcceptedResult[],
  commit: number,
  by: string,
): Promise<void> {
  const leads = leadsIn(ctx.tree);
  const before = leads.filter(({ own }) => own.state !== undefined && own.commit !== commit).length;
  for (const [i, { id, state, findings, agentId, isVerified }] of results.entries()) {
    const lead = leadOf(ctx, id);
    if (!lead) continue; // a person removed it
    const more = { ...(agentId && { agentId }), ...(isVerified && { isVerified }) };
    await settle(ctx, lead, { state, order: before + i, commit, ...more }, by, findings);
  }
}

const LEAF = { status: 'leaf', leafReason: 'model' } as const;

/** Gives a node its state, and the status that goes with it; with findings, its document first. */
async function settle(
  ctx: SearchContext,
  lead: Lead,
  fields: Partial<OwnFields> & { state: State },
  by: string,
  findings?: string,
): Promise<void> {
  const { node } = lead;
  const { state } = fields;
  const own = { ...lead.own, ...fields };
  const id = lead.own.nodeId;
  const summary = summaryOf(state, findings ?? withoutState(node));
  const document = findings === undefined ? undefined : findingsDocument({ id, title: titleOf(lead), state, findings });
  // A lead without children is a leaf, as its empty list says; it grows with the first one.
  const { length } = node.children;
  const ends = length > 0 ? ({ status: 'expanded', leafReason: null } as const) : LEAF;
  await ctx.nodes.change(node, { ...ends, summary, own }, { by, document });
}

const ReplyData: z.ZodType<Reply> = z.record(z.string(), z.unknown());

/** Returns an action that makes one kind of call; what breaks a rule is part of its reply. */
function calling<Args extends object>(args: z.ZodType<Args>, callOf: (args: Args) => Call): Action<Args, Reply> {
  return {
    args,
    result: ReplyData,
    isLoops: true,
    tellsItself: true,
    async run(acting, given) {
      try {
        return await makeCall(acting, callOf(given));
      } catch (error) {
        if (isProtocolFault(error))
          throw new ThoughtTreeError('bad-input', foreign({ text: error.message }), { cause: error });
        throw error;
      }
    },
    say: (reply) => foreign({ text: String(reply['message'] ?? reply['reason'] ?? reply['status']) }),
  };
}

/** The actions that carry out the calls of an investigation. */
export const CALL_ACTIONS: Actions = {
  propose: calling(ProposeArgs, (args) => ({ do: 'propose', ...args })),
  commit: calling(CommitArgs, (args) => ({ do: 'commit', ...args })),
  reclassify: calling(ReclassifyArgs, (args) => ({ do: 'reclassify', ...args })),
  conclude: calling(ConcludeArgs, (args) => ({ do: 'end', ...args })),
} as Actions;

/**
 * Makes a call: if the protocol accepts it, it is kept as a whole, then the files are made from it.
 * @returns what the caller gets to read
 * @throws ProtocolFault where the original fails itself
 */
async function makeCall({ ctx, loop, by }: Acting, call: Call): Promise<Reply> {
  const { tree, history, store, clock, file } = ctx;
  const at = investigationIn(file, tree, history.past);
  const isAboutFindings = call.do === 'end' || call.do === 'reclassify';
  const findings = isAboutFindings ? await readFindings(store, tree, history.past) : undefined;
  const { change, reply } = outcomeOf(at, call, clock.now(), findings);
  if (!change) return reply;
  await loop.offers.answer([{ offer: await offerOf({ ctx, loop }), result: call }], by);
  // The end is a report: it can be made again, and the investigation can be continued.
  if (change.do === 'end') await loop.finish();
  return reply;
}

/** Returns the offer of the next call; made here where nobody runs the investigation. */
async function offerOf({ ctx, loop: { offers } }: Pick<Acting, 'ctx' | 'loop'>): Promise<string> {
  const find = (): string | undefined => offers.pending.find(({ kind }) => kind === CALL)?.id;
  const existing = find();
  if (existing !== undefined) return existing;
  const executor = callExecutors(ctx)[CALL] as OfferingExecutor;
  await offers.make(nextCall(ctx.tree), executor, new AbortController().signal);
  return find() ?? '';
}

/** The one move of an investigation is its next call, which somebody outside makes, until it has ended. */
export class InvestigationStrategy implements Strategy {
  readonly #hasEnded: () => boolean;
  #tree: Tree | undefined;
  #isAsked = false;

  /** @param hasEnded whether the last call ended the investigation */
  constructor(hasEnded: () => boolean) {
    this.#hasEnded = hasEnded;
  }

  get end(): SearchEnd | undefined {
    return this.#hasEnded() ? 'complete' : undefined;
  }

  open(tree: Tree): void {
    this.#tree = tree;
  }

  ask(): Move[] {
    if (!this.#tree || this.#isAsked || this.#hasEnded()) return [];
    this.#isAsked = true;
    return [nextCall(this.#tree)];
  }

  tell(): void {
    this.#isAsked = false;
  }

  changed(): void {}

  wish(): void {}

  grow(): void {}
}

/** Returns the move that stands for the next call. */
function nextCall({ root }: Tree): Move {
  return { id: CALL, kind: CALL, nodes: [root.id] };
}
