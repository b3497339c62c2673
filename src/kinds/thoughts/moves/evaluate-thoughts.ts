import type { MoveResult } from '../../../core/kind/strategy.ts';
import { noted } from '../../../core/messages/message.ts';
import { toThoughtTreeError } from '../../../core/search/errors.ts';
import { digest } from '../../../core/text/text.ts';
import { isPruned, pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import { consequenceOf } from '../../../engine/loop.ts';
import type { Prompt } from '../../../engine/question.ts';
import { notesFor, notesText } from '../../../engine-parts/transcripts/conversations.ts';
import {
  comparingSolutions,
  notCompared,
  solutionClaimed,
  solutionFound,
  solutionRefuted,
  solutionUnchecked,
} from '../messages.ts';
import { type CompareDraftsData, compareDraftsPrompt } from '../prompts/draft-prompts.ts';
import { type CompareData, comparePrompt } from '../prompts/prompts.ts';
import { eachOnce, type ReadComparison, type ReadJudgement, readComparison } from '../prompts/thought-answers.ts';
import { planData } from '../prompts/thought-data.ts';
import { type Comparison, comparisonsOf } from '../strategy/whole-solutions.ts';
import { thoughtAt, thoughtsTo } from '../thought-document.ts';
import { isClaimed, judgementsOf, thoughtId } from '../thought-node.ts';
import type { ThoughtSearch } from '../thought-search.ts';
import {
  askJudge,
  isPartOf,
  type Judged,
  type Judging,
  judgedAbout,
  judgementQuestion,
  keptJudgement,
  verdictOn,
} from './ask-judge.ts';
import { decompositionOf } from './decompose.ts';
import { combineSamples, consequenceFor, isClaim, keptDefects, type Standing } from './judgement.ts';

/**
 * Judges nodes: those that equal another one are merged into it first; for the rest, a judgement that an earlier run paid
 * for is applied, then the judge is asked. The consequences of a node's judgement are written together with it. Nodes
 * that already have a score get a further opinion along with the new ones, but are not a reason to ask.
 */
export async function evaluateThoughts(
  ctx: ThoughtSearch,
  wanted: readonly TreeNode[],
  signal: AbortSignal,
): Promise<MoveResult> {
  const judgedBefore = wanted.filter((node) => node.evaluation);
  const fresh = await mergeEqual(
    ctx,
    wanted.filter((node) => !node.evaluation),
  );
  const left = await useKept(ctx, fresh, signal);
  if (left.length === 0) return { outcome: 'done' };
  // A kept judgement has also judged the others.
  const others = left.length === fresh.length ? judgedBefore.filter((node) => isOpen(ctx, node)) : [];
  const nodes = [...left, ...others];
  const judging = { nodes, before: nodes.map(judgementsOf) };
  await take(ctx, judging, await askJudge(ctx, judging, signal), signal);
  return { outcome: 'done' };
}

/** Applies what an earlier run paid for; returns the nodes that it did not judge. */
async function useKept(ctx: ThoughtSearch, nodes: readonly TreeNode[], signal: AbortSignal): Promise<TreeNode[]> {
  let left = nodes.filter((node) => isOpen(ctx, node));
  for (const node of [...left]) {
    const kept = left.includes(node) ? await keptJudgement(ctx, node) : undefined;
    if (!kept) continue;
    await take(ctx, kept, await askJudge(ctx, kept, signal), signal);
    left = left.filter((each) => !kept.nodes.includes(each));
  }
  return left;
}

function isOpen(ctx: ThoughtSearch, node: TreeNode): boolean {
  return ctx.tree.get(node.id) === node && node.status === 'unexpanded' && !isPruned(node);
}

/** Merges nodes into others with the same verified state; returns the remaining ones. */
async function mergeEqual(ctx: ThoughtSearch, nodes: readonly TreeNode[]): Promise<TreeNode[]> {
  const { states } = ctx;
  const left: TreeNode[] = [];
  for (const node of nodes) {
    const same = isOpen(ctx, node) ? states.equalTo(node) : undefined;
    if (!same) {
      left.push(node);
      continue;
    }
    await ctx.nodes.commit(node, undefined, async ({ status }) => {
      if (status !== 'unexpanded' || isPruned(same)) return;
      await ctx.nodes.change(node, { status: 'leaf', leafReason: 'duplicate', sameAs: pathOf(same) });
    });
  }
  return left;
}

/** Writes judgements. The first node, under whose name the judgement is kept, comes last. */
async function take(
  ctx: ThoughtSearch,
  { nodes, before }: Judging,
  { samples, isPoor }: Judged,
  signal: AbortSignal,
): Promise<void> {
  const order = [...nodes.keys()].slice(1);
  for (const index of [...order, 0]) {
    const node = nodes[index] as TreeNode;
    const own = samples.flatMap((each) => each.get(thoughtId(node)) ?? []);
    await ctx.nodes.commit(node, signal, async ({ status }) => {
      const isNew = judgementsOf(node) === (before[index] ?? 0) && !(node.evaluation && own.length === 0);
      if (isNew && status === 'unexpanded') await writeJudged(ctx, node, own, isPoor);
    });
  }
}

async function writeJudged(
  ctx: ThoughtSearch,
  node: TreeNode,
  samples: readonly ReadJudgement[],
  isPoor: boolean,
): Promise<void> {
  const judged = samples.length > 0 ? combineSamples(samples, isPoor, node.evaluation) : undefined;
  const at = await standingOf(ctx, node);
  if (!judged) {
    await ctx.nodes.change(node, { unscored: true, ...consequenceFor(undefined, at) });
    return;
  }
  // A thought that is a solution by its score counts as one by the judge's word.
  const claim = isClaim(judged.evaluation, at) ? { solution: true } : {};
  const evaluation = { ...judged.evaluation, ...claim };
  const consequence = consequenceFor({ ...judged, evaluation }, at);
  await ctx.nodes.change(node, { evaluation, unscored: null, ...consequence });
}

/** Returns what decides about the consequences of a judgement, besides itself. */
async function standingOf(ctx: ThoughtSearch, node: TreeNode): Promise<Standing> {
  const { settings } = ctx;
  return {
    depth: node.depth,
    maxDepth: ctx.limits.now.maxDepth,
    threshold: settings.threshold,
    hasGoalTest: settings.task?.solved !== undefined,
    isExact: (await decompositionOf(ctx)).solutions === 'exact',
  };
}

/**
 * Asks the judge once more about a thought that was called a solution: in a fresh conversation, without what was said before,
 * and whether it holds. Only then it is one. If no verdict can be had, the first judge's word stands, and is marked.
 */
export async function verifySolution(ctx: ThoughtSearch, node: TreeNode, signal: AbortSignal): Promise<MoveResult> {
  const { title } = node;
  ctx.history.note({ type: 'progress', ...noted(solutionClaimed({ title })) });
  const verdict = await askForVerdict(ctx, node, signal);
  const at = await standingOf(ctx, node);
  const isHeld = verdict === undefined || isHeldBy(verdict, at);
  await ctx.nodes.commit(node, signal, async () => {
    if (!isClaimed(node) || !node.evaluation) return;
    const judged = verdict
      ? combineSamples([verdict], false, node.evaluation)
      : { evaluation: { ...node.evaluation, low_confidence: true }, prune: false, violates: false };
    // Why it was proposed as one stays said, unless that is refuted.
    const said = isHeld && node.evaluation.reasoning ? { reasoning: node.evaluation.reasoning } : {};
    const claim = { ...judged.evaluation, ...said, solution: true };
    const consequence = consequenceFor({ ...judged, prune: false, evaluation: { ...claim, confirmed: isHeld } }, at);
    // A verdict that nobody gave is not written down as one.
    const evaluation = verdict ? { ...claim, confirmed: isHeld } : claim;
    await ctx.nodes.change(node, { evaluation, ...consequence });
    ctx.history.note({ type: 'progress', ...noted(isHeld ? solutionFound() : solutionRefuted({ title })) });
  });
  return { outcome: 'done' };
}

/** A verdict in words counts more than a score; what breaks a constraint is no solution. */
function isHeldBy(verdict: ReadJudgement, at: Standing): boolean {
  return verdict.violates_constraint !== true && (verdict.solution ?? isClaim(verdict, at));
}

/** Returns one more judgement of the thought alone; undefined where the judge gives none. */
async function askForVerdict(
  ctx: ThoughtSearch,
  node: TreeNode,
  signal: AbortSignal,
): Promise<ReadJudgement | undefined> {
  const conversation = await verdictOn(ctx, node);
  const judging = { nodes: [node], before: [judgementsOf(node)] };
  const about = await judgedAbout(ctx, [node]);
  try {
    const given = await ctx.asks.ask(
      {
        ...judgementQuestion(
          ctx,
          [node],
          { ...about, isCompared: false },
          { isSimple: false, isVerdict: true, sample: 0 },
        ),
        node: node.parent,
        about: [pathOf(node)],
        keep: {
          conversation,
          isLike: isPartOf(judging, conversation),
          marks: { about: [pathOf(node)], before: [...judging.before] },
        },
      },
      signal,
    );
    return given.value.get(thoughtId(node));
  } catch (error) {
    if (consequenceOf(error) !== 'fail') throw error;
    const code = toThoughtTreeError(error).reason === 'timed-out' ? 'EVALUATION_TIMEOUT' : 'INVALID_FORMAT';
    ctx.history.note({ type: 'progress', ...noted(solutionUnchecked({ code, title: node.title })) });
    return undefined;
  }
}

const MAX_OUTPUT_TOKENS = 3000;

/** One answer, in terms of the two nodes: how the second one did beside the first. */
interface ToldComparison {
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
  const told: ToldComparison[] = [];
  for (const isTurned of [false, true]) {
    const answer = await askToCompare(ctx, isTurned ? [second, first] : [first, second], signal);
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
function comparisonOf(first: TreeNode, told: readonly ToldComparison[]): Comparison {
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

function inTerms({ better, why, takeOver, defects }: ReadComparison, isTurned: boolean): ToldComparison {
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

async function askToCompare(
  ctx: ThoughtSearch,
  pair: readonly [TreeNode, TreeNode],
  signal: AbortSignal,
): Promise<ReadComparison | undefined> {
  const about = pair.map(pathOf);
  const id = `compare-${digest(about.join('\n'))}`;
  const conversation = (await ctx.store.readConversation(id)) ?? { id, turns: [] };
  const words = (): Promise<Prompt> => compareWords(ctx, pair);
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

async function compareWords(ctx: ThoughtSearch, [a, b]: readonly [TreeNode, TreeNode]): Promise<Prompt> {
  if (ctx.settings.writesDrafts) {
    const [one, other] = [await thoughtAt(ctx, a), await thoughtAt(ctx, b)];
    const data: CompareDraftsData = {
      purpose: 'compare-solutions',
      question: ctx.file.prompt,
      plan: await decompositionOf(ctx),
      a: one.content,
      b: other.content,
      notes: notesText(await notesFor(ctx, undefined)),
    };
    return { prompt: compareDraftsPrompt(data), data, maxOutputTokens: MAX_OUTPUT_TOKENS };
  }
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
