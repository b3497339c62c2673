import * as z from 'zod';
import type { Move, MoveResult, Strategy } from '../../core/kind/strategy.ts';
import { noted } from '../../core/messages/message.ts';
import { ModelSpend } from '../../core/money/several-models.ts';
import type { SearchRecord } from '../../core/search/record/search-record.ts';
import { isSolved, type TreeNode } from '../../core/tree/tree.ts';
import type { NodeId } from '../../core/tree/tree-node.ts';
import type { Executors } from '../../engine/context.ts';
import type { Kind, KindRun } from '../../engine/kind.ts';
import { reserveFor } from '../../engine-parts/report/written-answer.ts';
import { thoughtsDescriptor } from './descriptor.ts';
import { thoughtForecast } from './forecast.ts';
import { askToGoOn, Gains, stallOf } from './gains.ts';
import { goingDeeper } from './messages.ts';
import { ModelAnswers } from './model-choice.ts';
import { combineThoughts, writeCombined } from './moves/combine.ts';
import { decompositionOf, prepareDecomposition } from './moves/decompose.ts';
import { compareSolutions, evaluateThoughts, verifySolution } from './moves/evaluate-thoughts.ts';
import { completeThought, expandThought, listFirstThoughts, tryAgain } from './moves/expand-thought.ts';
import { thoughtOptionsSchema } from './options.ts';
import { Account } from './prompts/answer-prompts.ts';
import { draftSystemText } from './prompts/draft-prompts.ts';
import { thoughtSystemText } from './prompts/prompts.ts';
import { thoughtAnswers } from './prompts/recorded-answers.ts';
import { ANSWER_CALL, takeUpAnswer } from './report/final-answer.ts';
import { textTreeOf, thoughtResults, whyNoAnswer, writeThoughtReport } from './report/report.ts';
import { beginThoughts, usualDepth } from './settings.ts';
import { searchComplete } from './snapshot/snapshot.ts';
import { thoughtTreeFormat } from './snapshot/thought-tree-format.ts';
import { NEW_STRATEGY } from './strategy/strategies.ts';
import { taskHooks } from './tasks/find-task.ts';
import { thoughtActionsOf } from './thought-actions.ts';
import { documentAgain } from './thought-document.ts';
import { openThoughts, type ThoughtSearch, Tries, takeTries, Wanted } from './thought-search.ts';

/** "Solve a problem": a tree of thoughts, proposed, judged, and the best of them continued. */
export const thoughts: Kind = {
  descriptor: thoughtsDescriptor,
  options: thoughtOptionsSchema,
  own: z.object({
    completes: z.boolean().optional(),
    mended: z.array(Account).optional(),
    open: z.array(Account).optional(),
  }),
  begin: beginThoughts,
  usualDepth,
  forecast: thoughtForecast,
  system: (question, { strategy }) => (strategy === 'drafts' ? draftSystemText(question) : thoughtSystemText(question)),
  formats: [thoughtTreeFormat],
  folds: () => [new Tries(), new Wanted(), new Gains(), new ModelSpend(), new ModelAnswers()],
  documentAgain,
  extras: { hooks: { ...taskHooks, byData: thoughtAnswers }, textTree: textTreeOf },
  open: (ctx) => runOf(openThoughts(ctx)),
};

function runOf(search: ThoughtSearch): KindRun {
  return {
    strategy: strategyOf(search),
    executors: thoughtExecutors(search),
    actions: thoughtActionsOf(search),
    whyNothing: () => whyNoAnswer(search),
    async takeUp() {
      // The strategy has to know whether solutions are graded before it is asked for anything.
      if (search.tree.root.listed) await decompositionOf(search);
      await takeUpAnswer(search);
    },
    async again({ id }) {
      search.wantedDeeper.add(id);
      return 0;
    },
    prepare: (show, making) => prepareDecomposition(search, show, making),
    keptForReport: reserveFor(search, ANSWER_CALL),
    writeReport: async (results) => {
      const stall = isSolved(search.tree) || search.settings.onStall === 'ask' ? undefined : stallOf(search);
      if (stall) search.history.note({ type: 'progress', ...noted(stall) });
      await writeThoughtReport(search, results);
    },
    findings: { results: () => thoughtResults(search), message: () => searchComplete(search) },
  };
}

function strategyOf(search: ThoughtSearch): Strategy {
  const { settings, tree, history, limits } = search;
  const hasGoalTest = settings.task?.solved !== undefined;
  takeTries(tree, history.past);
  const wanted = history.past.part(Wanted);
  return NEW_STRATEGY[settings.strategy]({
    ...settings,
    size: limits.now.size,
    hasGoalTest,
    isGraded: () => !hasGoalTest && !settings.writesDrafts && search.decomposition?.solutions === 'graded',
    merges: settings.task?.state !== undefined,
    wantedEnds: () => wanted?.ends ?? 1,
    ownThreshold: () => wanted?.changed.threshold,
    hasStalled: () => stallOf(search) !== undefined,
    asksWhenStalled: settings.onStall === 'ask',
    beside: search.brought,
    isWanted: (node) => wanted?.has(node) === true,
    isOver: isSolved(tree) && hasEnded(history.past),
  });
}

/** Tells whether its last run ended with a solution; true without a journal (a clone, an import). */
function hasEnded({ hasBegun, end }: SearchRecord): boolean {
  return !hasBegun || (end?.type === 'search-finished' && end.reason === 'solved');
}

/** Returns the executors of a search for a solution. Decisions need no slot: they ask no model. */
export function thoughtExecutors(ctx: ThoughtSearch): Executors {
  return {
    'list-root': { needsSlot: true, run: (_move, signal) => listFirstThoughts(ctx, signal) },
    expand: {
      needsSlot: true,
      expands: true,
      run: (move, signal) => atOne(ctx, move, (node) => expandThought(ctx, node, signal)),
    },
    'try-again': { needsSlot: true, run: (move, signal) => atOne(ctx, move, (node) => tryAgain(ctx, node, signal)) },
    evaluate: { needsSlot: true, run: (move, signal) => evaluateThoughts(ctx, nodesOf(ctx, move), signal) },
    keep: { needsSlot: false, run: (move) => choose(ctx, nodesOf(ctx, move), true) },
    'set-aside': { needsSlot: false, run: (move) => choose(ctx, nodesOf(ctx, move), false) },
    'complete-way': {
      needsSlot: true,
      expands: true,
      run: (move, signal) => atOne(ctx, move, (node) => completeThought(ctx, node, signal)),
    },
    'second-verdict': {
      needsSlot: true,
      run: (move, signal) => atOne(ctx, move, (node) => verifySolution(ctx, node, signal)),
    },
    'compare-ends': { needsSlot: true, run: (move, signal) => atPair(ctx, move, signal) },
    'combine-ends': { needsSlot: false, run: (move) => combineThoughts(ctx, nodesOf(ctx, move)) },
    'write-combined': {
      needsSlot: true,
      run: (move, signal) => atOne(ctx, move, (node) => writeCombined(ctx, node, signal)),
    },
    'ask-person': { needsSlot: false, run: async () => askToGoOn(ctx) },
    revive: { needsSlot: false, run: (move) => revive(ctx, nodesOf(ctx, move)) },
  };
}

function nodesOf(ctx: ThoughtSearch, move: Move): TreeNode[] {
  return move.nodes.flatMap((id) => ctx.tree.get(id) ?? []);
}

async function atPair(ctx: ThoughtSearch, move: Move, signal: AbortSignal): Promise<MoveResult> {
  const [first, second] = nodesOf(ctx, move);
  return first && second ? await compareSolutions(ctx, [first, second], signal) : { outcome: 'dropped' };
}

async function atOne(
  ctx: ThoughtSearch,
  move: Move,
  work: (node: TreeNode) => Promise<MoveResult>,
): Promise<MoveResult> {
  const node = ctx.tree.get(move.nodes[0] as NodeId);
  return node ? await work(node) : { outcome: 'dropped' };
}

/** Marks nodes as kept, or as set aside: good enough, and to be taken up later. */
async function choose(ctx: ThoughtSearch, nodes: readonly TreeNode[], selected: boolean): Promise<MoveResult> {
  for (const node of nodes)
    await ctx.nodes.commit(node, undefined, async ({ status }) => {
      if (status === 'unexpanded') await ctx.nodes.change(node, { selected });
    });
  const depth = Math.max(0, ...nodes.map((node) => node.depth));
  if (selected) ctx.history.note({ type: 'progress', ...noted(goingDeeper({ kept: nodes.length, depth: depth + 1 })) });
  return { outcome: 'done' };
}

/** Reopens nodes that were merged into nodes that are gone: they become independent again. */
async function revive(ctx: ThoughtSearch, nodes: readonly TreeNode[]): Promise<MoveResult> {
  for (const node of nodes)
    await ctx.nodes.commit(node, undefined, async ({ leafReason }) => {
      if (leafReason === 'duplicate') await ctx.nodes.reopen(node);
    });
  return { outcome: 'done' };
}
