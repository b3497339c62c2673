import { foreign } from '../../../core/messages/message.ts';
import type { AnswerProblem, Verdict } from '../../../core/offers/verdict.ts';
import { childSlug } from '../../../core/tree/slug.ts';
import { pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import type { Executors } from '../../../engine/loop/executor.ts';
import type { AnsweredOffer, OfferProtocol } from '../../../engine/offers/offer-protocol.ts';
import type { SearchContext } from '../../../engine/search-context.ts';
import { Call } from '../calls.ts';
import type { Change, Proposal } from '../protocol/investigation.ts';
import { profileOf, statesOf } from '../protocol/profiles.ts';
import { isProtocolFault, type ProtocolError } from '../protocol/verdict.ts';
import { applyCall } from './apply-call.ts';
import { outcomeOf } from './carry-out.ts';
import { CALL, type KeptCall, keptCallOf } from './kept-change.ts';
import { investigationIn, leadsIn, setupIn } from './read-investigation.ts';

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

/** A change as it is kept: with the names of the folders that are made from it. */
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
