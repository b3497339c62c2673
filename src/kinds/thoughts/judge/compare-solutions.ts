import type { MoveResult } from '../../../core/kind/strategy.ts';
import { noted } from '../../../core/messages/kept.ts';
import { toThoughtTreeError } from '../../../core/search/errors.ts';
import { digest } from '../../../core/text/digest.ts';
import { pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import { notesFor, notesText } from '../../../engine/calls/notes.ts';
import type { Words } from '../../../engine/calls/question.ts';
import { consequenceOf } from '../../../engine/loop/consequence.ts';
import { comparingSolutions, notCompared } from '../messages.ts';
import type { CompareData } from '../prompts/prompt-data.ts';
import { comparePrompt } from '../prompts/prompts.ts';
import { planData } from '../prompts/source-messages.ts';
import { eachOnce, type ReadComparison, readComparison } from '../prompts/thought-answers.ts';
import { type Comparison, comparisonsOf } from '../strategy/comparisons.ts';
import { thoughtsTo } from '../thought-document.ts';
import { thoughtId } from '../thought-id.ts';
import type { ThoughtSearch } from '../thought-search.ts';
import { keptDefects } from './judgement.ts';

const MAX_OUTPUT_TOKENS = 3000;

/** One answer, in terms of the two nodes: how the second one did beside the first. */
interface Told {
  readonly result: Comparison['result'];
  readonly why: string;
  readonly takeOver: readonly string[];
  readonly defects: readonly [first: readonly string[], second: readonly string[]];
}

/**
 * Compares two complete solutions, in both orders, since judges like what they read first, or last. A solution is better only
 * if no answer says the opposite; defects that are named are kept with both. If no answer can be had, they count as equal.
 */
export async function compareSolutions(
  ctx: ThoughtSearch,
  [first, second]: readonly [TreeNode, TreeNode],
  signal: AbortSignal,
): Promise<MoveResult> {
  ctx.history.note({ type: 'progress', ...noted(comparingSolutions({ one: first.title, other: second.title })) });
  const told: Told[] = [];
  for (const isTurned of [false, true]) {
    const answer = await ask(ctx, isTurned ? [second, first] : [first, second], signal);
    if (answer) told.push(inTerms(answer, isTurned));
  }
  // The second node comes last: that it was compared stands in its file.
  await ctx.nodes.commit(first, signal, () =>
    addDefects(
      ctx,
      first,
      told.flatMap(({ defects }) => defects[0]),
    ),
  );
  await ctx.nodes.commit(second, signal, () => {
    const compared = [...comparisonsOf(second), comparisonOf(first, told)];
    return addDefects(
      ctx,
      second,
      told.flatMap(({ defects }) => defects[1]),
      { compared },
    );
  });
  return { outcome: 'done' };
}

/** The two answers as one. */
function comparisonOf(first: TreeNode, told: readonly Told[]): Comparison {
  const votes = told.reduce((sum, { result }) => sum + { better: 1, worse: -1, even: 0 }[result], 0);
  const result = votes > 0 ? 'better' : votes < 0 ? 'worse' : 'even';
  const counted = told.filter((each) => result === 'even' || each.result === result || each.result === 'even');
  return {
    with: thoughtId(first),
    result,
    why: counted.flatMap(({ why }) => why || []),
    take_over: eachOnce(counted.flatMap(({ takeOver }) => takeOver)),
  };
}

function inTerms({ better, why, takeOver, defects }: ReadComparison, isTurned: boolean): Told {
  const [first, second] = isTurned ? (['B', 'A'] as const) : (['A', 'B'] as const);
  const result = better === 'neither' ? 'even' : better === second ? 'better' : 'worse';
  return { result, why, takeOver, defects: [defects[first], defects[second]] };
}

async function addDefects(
  ctx: ThoughtSearch,
  node: TreeNode,
  named: readonly string[],
  more: { readonly compared?: readonly Comparison[] } = {},
): Promise<void> {
  const { evaluation } = node;
  if (!evaluation || (named.length === 0 && !more.compared)) return;
  const defects = keptDefects([...(evaluation.defects ?? []), ...named]);
  await ctx.nodes.change(node, { evaluation: { ...evaluation, ...(defects.length > 0 && { defects }), ...more } });
}

async function ask(
  ctx: ThoughtSearch,
  pair: readonly [TreeNode, TreeNode],
  signal: AbortSignal,
): Promise<ReadComparison | undefined> {
  const about = pair.map(pathOf);
  const id = `compare-${digest(about.join('\n'))}`;
  const conversation = (await ctx.store.readConversation(id)) ?? { id, turns: [] };
  const words = (): Promise<Words> => wordsFor(ctx, pair);
  const keep = { conversation, marks: { about } };
  try {
    return (await ctx.asks.ask({ purpose: 'compare-solutions', about, words, check: readComparison, keep }, signal))
      .value;
  } catch (error) {
    if (consequenceOf(error) !== 'fail') throw error;
    ctx.history.note({ type: 'progress', ...noted(notCompared({ code: toThoughtTreeError(error).reason })) });
    return undefined;
  }
}

async function wordsFor(ctx: ThoughtSearch, [a, b]: readonly [TreeNode, TreeNode]): Promise<Words> {
  const data: CompareData = {
    purpose: 'compare-solutions',
    question: ctx.file.prompt,
    plan: await planData(ctx),
    a: await thoughtsTo(ctx, a),
    b: await thoughtsTo(ctx, b),
    notes: notesText(await notesFor(ctx, undefined)),
  };
  return { prompt: comparePrompt(data), data, maxOutputTokens: MAX_OUTPUT_TOKENS };
}
