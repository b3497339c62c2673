import * as z from 'zod';
import { foreign, type Message } from '../../../core/messages/message.ts';
import { wrongField } from '../../../core/messages/wrong-field.ts';
import type { OfferDraft } from '../../../core/offers/offer.ts';
import type { AnswerProblem, Verdict } from '../../../core/offers/verdict.ts';
import { CommitId } from '../../../core/ports/workshop.ts';
import { toThoughtTreeError } from '../../../core/search/errors.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { consequenceOf } from '../../../engine/loop/consequence.ts';
import type { AnsweredOffer, OfferProtocol } from '../../../engine/offers/offer-protocol.ts';
import * as say from './messages.ts';
import { failAtom, keepWork } from './moves/atom-changes.ts';
import { begunWith, taskOf } from './moves/atom-task.ts';
import type { AtomFields, Evidence } from './tree/own-fields.ts';
import { begun, shortened } from './tree/tries.ts';
import { atomFieldsOf, checkoutName, isOpen, shopOf, type WorkSearch } from './work-search.ts';

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
export async function offerOf(search: WorkSearch, node: TreeNode, signal: AbortSignal): Promise<OfferDraft> {
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
export function workOffers(search: WorkSearch, iteration: () => number): OfferProtocol {
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

/** An answer as it is to be kept, or what is wrong with it. Its commit does nothing until it is joined. */
async function keptOf(
  search: WorkSearch,
  { offer, nodes, result }: AnsweredOffer,
  iteration: number,
): Promise<Kept | Message> {
  const answer = Answer.safeParse(result);
  if (!answer.success) return say.wrongAnswer({ form: FORM, why: wrongField(answer.error) });
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
    const seen = shortened(kept.seen ?? kept.summary, 400);
    return await failAtom(search, node, next, { as: 'failed', seen });
  }
  const { base, commit, artifacts } = kept;
  const summary = kept.summary.slice(0, 2000).toWellFormed();
  const evidence = (own.checks ?? []).map((_, i): Evidence => ({ item: String(i), word: 'reported' }));
  const work = { base, ...(commit && { commit }), by, summary, artifacts: artifacts.slice(0, 50) };
  const details = kept.summary.length > 2000 ? kept.summary : undefined;
  await keepWork(search, node, next, { work, evidence, details });
}
