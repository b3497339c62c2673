import type { Move } from '../../core/kind/strategy.ts';
import type { ExpectedCalls } from '../../core/money/expected-calls.ts';
import { type KindForecast, MOST_EXPANSIONS, type Part, type PartsRequest } from '../../core/money/forecast.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { optionsSchema, type SearchFile } from '../../core/search/search-file.ts';
import type { TreeNode } from '../../core/tree/tree.ts';
import type { NodeId } from '../../core/tree/tree-node.ts';
import type { Executors, SearchContext } from '../../engine/context.ts';
import { type Asked, type Kind, type KindRun, PLAIN_RUN } from '../../engine/kind.ts';
import { reserveFor } from '../../engine-parts/report/written-answer.ts';
import {
  type InvestigationOptions,
  type InvestigationPurpose,
  investigationDescriptor,
  investigationPurposes,
} from './descriptor.ts';
import { investigationFormats } from './exchange/formats.ts';
import { investigateLead } from './led/investigate-lead.ts';
import {
  isLedByEngine,
  type LedSearch,
  lastRoundFor,
  minRoundsIn,
  momentOf,
  usualRounds,
} from './led/led-investigation.ts';
import { LedStrategy } from './led/led-strategy.ts';
import { planLeads, settle } from './led/plan-leads.ts';
import { systemText } from './led/prompts.ts';
import { VERDICT_CALL, writeVerdictReport } from './led/report.ts';
import { agentsOnly, agentsProfile } from './messages.ts';
import { CALL_ACTIONS, callExecutors, callOffers, InvestigationStrategy } from './run/calls.ts';
import { KeptCalls, KnownCalls, LastCall, OwnFields, receiptOf } from './run/kept-data.ts';
import { documentAgain } from './run/read-investigation.ts';
import { ledStanding, whyNoAnswer, writeInvestigationReport } from './run/report.ts';

const forecast: KindForecast = {
  parts: (request, expected) => partsOf(usualCourse(request), request, expected),
  most: (request, expected) => partsOf(fullCourse(request), request, expected, true),
  purposes: investigationPurposes,
  ofNode: ['investigate', 'propose-leads'],
};

/** "Investigate a question": agents, or the engine, propose, research and check nodes in rounds, by the rules of a protocol. */
export const investigation: Kind = {
  descriptor: investigationDescriptor,
  options: optionsSchema(investigationDescriptor.options),
  own: OwnFields,
  begin,
  usualDepth: usualRounds,
  forecast,
  system: systemText,
  folds: () => [new KeptCalls(), new KnownCalls(), new LastCall()],
  formats: investigationFormats,
  documentAgain,
  extras: { ledStanding, receiptOf },
  open: (ctx) => (isLedByEngine(ctx.file) ? openLed(ctx) : openForAgents(ctx)),
};

/** One without an id for agents is led by the engine, by our own rules. */
function begin({ options }: Asked): Pick<SearchFile, 'options'> {
  const { profile = 'strict', requireAgents } = options as InvestigationOptions;
  if (!isLedByEngine({ options })) return { options };
  if (profile !== 'strict') throw new ThoughtTreeError('bad-input', agentsProfile());
  if (requireAgents) throw new ThoughtTreeError('bad-input', agentsOnly());
  return { options };
}

function openForAgents(ctx: SearchContext): KindRun {
  return {
    ...PLAIN_RUN,
    strategy: new InvestigationStrategy(() => ctx.history.past.part(KeptCalls)?.progress?.hasEnded === true),
    executors: callExecutors(ctx),
    offers: callOffers(ctx),
    actions: CALL_ACTIONS,
    writeReport: () => writeInvestigationReport(ctx),
  };
}

function openLed(ctx: SearchContext): KindRun {
  const byRule = ctx.model.prose === false;
  const search: LedSearch = { ...ctx, byRule };
  search.closing.reportsOnPause = !byRule;
  return {
    ...PLAIN_RUN,
    strategy: new LedStrategy(() => momentOf(search), ctx.limits.now.size),
    executors: ledExecutors(search),
    offers: callOffers(ctx),
    actions: CALL_ACTIONS,
    keptForReport: reserveFor(search, VERDICT_CALL),
    writeReport: () => writeVerdictReport(search),
    whyNothing: () => whyNoAnswer(ctx),
    async again(node, before) {
      // A lead that was looked into is looked into by somebody else; what was found before is kept aside.
      if (before === undefined) await ctx.nodes.change(node, { sessionId: null, summary: null }, { document: null });
      return 0;
    },
  };
}

/** Returns the executors of an investigation that the engine leads. */
export function ledExecutors(ctx: LedSearch): Executors {
  const nodeOf = ({ nodes }: Move): TreeNode | undefined => ctx.tree.get(nodes[0] as NodeId);
  const at =
    (work: (ctx: LedSearch, node: TreeNode, signal: AbortSignal) => ReturnType<typeof settle>) =>
    async (move: Move, signal: AbortSignal): ReturnType<typeof settle> => {
      const node = nodeOf(move);
      return node ? await work(ctx, node, signal) : { outcome: 'dropped' };
    };
  return {
    settle: { needsSlot: false, run: at(settle) },
    plan: { needsSlot: true, run: at(planLeads) },
    investigate: { needsSlot: true, expands: true, run: at(investigateLead) },
  };
}

/** The calls of a whole investigation. */
type Course = Readonly<Record<InvestigationPurpose, number>>;

/** Leads of a usual round, and of the largest; how many rounds a question usually needs. */
const USUAL_LEADS = 2;
const MOST_LEADS = 5;
const USUAL_ROUNDS = 3;

/** Requests for one answer of a model that reads files, and what each of them sends: measured in one search of a strong model. */
const READING: Readonly<Partial<Record<InvestigationPurpose, { requests: number; guess: Part['guess'] & object }>>> = {
  investigate: { requests: 3, guess: { prompt: 7500, completion: 500, cached: 0.6 } },
  'verify-finding': { requests: 3, guess: { prompt: 6000, completion: 400, cached: 0.6 } },
};

function usualCourse(request: PartsRequest): Course {
  const rounds = Math.max(minRoundsIn(request.options), Math.min(USUAL_ROUNDS, roundsOf(request)));
  return course(rounds, USUAL_LEADS);
}

/** Every round has as many leads as it may. */
function fullCourse(request: PartsRequest): Course {
  return course(roundsOf(request), MOST_LEADS);
}

/** Returns the question, the leads of every further round, their checks, and a plan before and behind each. */
function course(rounds: number, leads: number): Course {
  const all = 1 + leads * (rounds - 1);
  return { investigate: all, 'verify-finding': all, 'propose-leads': rounds, synthesize: 1 };
}

function roundsOf({ maxDepth, options }: PartsRequest): number {
  return lastRoundFor(maxDepth, minRoundsIn(options));
}

function partsOf(whole: Course, request: PartsRequest, expected: ExpectedCalls, atMost = false): Part[] {
  const room = Math.min(request.expansions, MOST_EXPANSIONS);
  const nodes = whole.investigate + whole['verify-finding'];
  const share = nodes > 0 ? Math.min(1, (room + made(expected)) / nodes) : 0;
  return (Object.keys(whole) as InvestigationPurpose[]).flatMap((purpose) => {
    const isLast = purpose === 'synthesize';
    const reading = request.reads === true ? READING[purpose] : undefined;
    const count = isLast ? Number(request.hasOpening) : whole[purpose] * share * (reading?.requests ?? 1);
    const more = atMost || isLast ? count : expected.perSearch(purpose, count);
    const left = room > 0 ? Math.max(0, more - expected.made(purpose)) : 0;
    return left > 0 ? [{ purpose, depth: 1, count: left, ...(reading && { guess: reading.guess }) }] : [];
  });
}

function made(expected: ExpectedCalls): number {
  return expected.made('investigate') + expected.made('verify-finding');
}
