import { type Message, noted } from '../../../core/messages/message.ts';
import type { Results } from '../../../core/search/events.ts';
import { progressOf, progressWords } from '../../../core/search/progress.ts';
import type { Findings, NextAction } from '../../../core/search/record/search-state.ts';
import type { SearchFile } from '../../../core/search/search-file.ts';
import { asSentence, fenced, oneLine } from '../../../core/text/text.ts';
import { prunedWords } from '../../../core/tree/messages.ts';
import { isPruned, lineageOf, pathOf, type Tree, type TreeNode, walk } from '../../../core/tree/tree.ts';
import { resultsOf } from '../../../engine/loop.ts';
import { heldCalls } from '../../../engine/messages.ts';
import { documentLink } from '../../../engine-parts/report/link-target.ts';
import { andMore, cost as costTitle, score as scoreOf } from '../../../engine-parts/report/messages.ts';
import { modelsLine, moneyLine, timeLine, tokensLine } from '../../../engine-parts/report/report-lines.ts';
import { interimNotice } from '../../../engine-parts/report/report-writing.ts';
import { blocksOf, plainLine, safeBlock, scoreText, titleOf } from '../../../engine-parts/report/safe-markdown.ts';
import { CANDIDATES, thoughtsDescriptor } from '../descriptor.ts';
import * as say from '../messages.ts';
import { allPruned, nothingLeft, notJudged } from '../messages.ts';
import { type ModelResult, modelResults } from '../model-choice.ts';
import { thoughtOptionsIn } from '../options.ts';
import { byPromise, comparisonsOf, sourcesOf } from '../strategy/whole-solutions.ts';
import { findTaskOrStandIn } from '../tasks/find-task.ts';
import { thoughtAt } from '../thought-document.ts';
import { isClaimed, thoughtId } from '../thought-node.ts';
import type { ThoughtSearch } from '../thought-search.ts';
import { composeAnswer, finalAnswer, LONGEST_ANSWER } from './final-answer.ts';
import { agreementOf, backtracks, type Outcome, outcomeIn, outcomeOf } from './outcome.ts';

const MOST_NAMED = 15;
const LONGEST_REASON = 400;
/** As many objections show why a thought was not chosen. */
const MOST_REASONS = 2;
const MOST_LINES = 200;

/**
 * Writes report.md: the answer first, then its path, what else was reached, what was pruned and why, and figures. At most
 * one call, and only if no task writes the answer.
 * @throws ThoughtTreeError `lease-lost`, or if files cannot be written
 */
export async function writeThoughtReport(ctx: ThoughtSearch, results: Results): Promise<void> {
  await composeAnswer(ctx);
  const outcome = outcomeOf(ctx);
  const answer = await answerSection(ctx, outcome);
  const spent = resultsOf(ctx.tree, ctx.history.ledger.spend, results.skipped);
  const parts = [
    `# ${plainLine(ctx.file.title, 300) || '?'}`,
    ...interimNotice(ctx),
    ...answer,
    ...pathSection(ctx, outcome),
    ...namedSection(
      ctx.show(ctx.settings.writesDrafts ? say.otherDrafts() : say.alternatives()),
      outcome.alternatives,
      (node) => withReasons(ctx, node),
    ),
    ...(ctx.settings.writesDrafts ? [] : leftSection(ctx, outcome)),
    ...prunedSection(ctx),
    ...(outcome.finished
      ? []
      : [`## ${ctx.show(say.theTree())}`, fenced(textTree(ctx.tree, ctx.start, outcome.best, MOST_LINES), '')]),
    ...statistics(ctx, spent),
  ];
  await ctx.store.writeReport(`${parts.join('\n\n')}\n`);
}

/** Returns the answer, and where it was reached; or that there is none, and what comes nearest. */
async function answerSection(ctx: ThoughtSearch, outcome: Outcome): Promise<string[]> {
  const { solved, finished, best } = outcome;
  const end = solved ?? finished;
  if (!end && ctx.answer === undefined) {
    const { isInterim } = ctx.closing;
    if (!isInterim) ctx.history.note({ type: 'progress', ...noted(say.exhausted()) });
    const why = isInterim ? undefined : whyNoAnswer(ctx);
    const more = why ? [ctx.show(why)] : [];
    if (!best) return [ctx.show(isInterim ? say.notSolvedYet() : say.noSolution()), ...more];
    const nearest = { score: scoreText(best) ?? '?', end: linkTo(best) };
    return [ctx.show(isInterim ? say.notSolvedYetButPath(nearest) : say.noSolutionButPath(nearest)), ...more];
  }
  const at = ctx.settings.writesDrafts ? say.draftAt : say.answerAt;
  const reached = end ? [ctx.show(at({ count: lineageOf(end).length, end: linkTo(end) }))] : [];
  return [...(await answerText(ctx, end)), ...reached];
}

async function answerText(ctx: ThoughtSearch, end: TreeNode | undefined): Promise<string[]> {
  const { answer, settings } = ctx;
  if (answer !== undefined) return [`**${plainLine(answer, 1000)}**`];
  if (!end) return [];
  // A task that composes answers and did not compose this one leaves the last thought.
  if (settings.task?.compose) return [safe((await thoughtAt(ctx, end)).content)];
  const { text, isWritten } = await finalAnswer(ctx, end);
  ctx.answer = isWritten ? text : undefined;
  return [safe(text)];
}

/** Returns a model's Markdown, without its links and HTML. */
function safe(markdown: string): string {
  const blocks = blocksOf(markdown.slice(0, 2 * LONGEST_ANSWER).trim());
  return blocks.map((block) => safeBlock(block, () => undefined)).join('\n\n') || '?';
}

function pathSection(ctx: ThoughtSearch, { finished, best }: Outcome): string[] {
  const end = finished ?? best;
  if (!end) return [];
  const lines = lineageOf(end).map((node, index) => `${index + 1}. ${withReasons(ctx, node)}`);
  const title = ctx.settings.writesDrafts ? say.itsVersions() : finished ? say.itsPath() : say.bestPath();
  return [`## ${ctx.show(title)}`, lines.join('\n')];
}

function linkTo(node: TreeNode): string {
  return `[${titleOf(node)}](${documentLink(node)})`;
}

function scored(ctx: ThoughtSearch, node: TreeNode): string {
  const score = scoreText(node);
  return `${linkTo(node)}${score === undefined ? '' : `, ${ctx.show(scoreOf({ score }))}`}`;
}

/** Returns a thought with what a judge says of it: what decided, else the first objections. */
function withReasons(ctx: ThoughtSearch, node: TreeNode): string {
  const { reasoning, defects = [] } = node.evaluation ?? {};
  const reasons = reasoning ? [reasoning] : defects.slice(0, MOST_REASONS);
  const compared = comparisonsOf(node).flatMap(({ with: other, why }) =>
    why.slice(0, 1).map((each) => ({ other, each })),
  );
  const from = sourcesOf(ctx.tree, node).map(linkTo);
  const why = [
    ...reasons.map((reason) => plainLine(reason, LONGEST_REASON)),
    ...compared.map(({ other, each }) =>
      ctx.show(say.comparedWith({ node: plainLine(other, 100), why: plainLine(each, LONGEST_REASON) })),
    ),
    ...(from.length > 0 ? [ctx.show(say.madeFrom({ nodes: from.join(', ') }))] : []),
  ].filter(Boolean);
  return [scored(ctx, node), why.map(asSentence).join(' ')].filter(Boolean).join(': ');
}

/** Tells what could still be continued, and why it was not. */
function leftSection(ctx: ThoughtSearch, { finished, best, alternatives }: Outcome): string[] {
  const end = finished ?? best;
  const shown = new Set([...(end ? lineageOf(end) : []), ...alternatives]);
  const left: TreeNode[] = [];
  for (const node of walk(ctx.tree.root))
    if (node.parent && node.status === 'unexpanded' && !isPruned(node) && !shown.has(node)) left.push(node);
  return firstOf(ctx, say.notLookedInto(), left.sort(byPromise), (node) => withReasons(ctx, node));
}

function prunedSection(ctx: ThoughtSearch): string[] {
  const pruned = [...walk(ctx.tree.root)].filter(
    (node) => node.status === 'pruned' && !(node.parent && isPruned(node.parent)),
  );
  return firstOf(ctx, say.prunedTitle(), pruned, (node) => {
    const why = ctx.show(prunedWords[node.prunedBy ?? 'user']());
    return node.evaluation ? `${withReasons(ctx, node)} (${why})` : `${scored(ctx, node)}, ${why}`;
  });
}

/** Returns a section with the first of these nodes, and how many more there are. */
function firstOf(
  ctx: ThoughtSearch,
  title: Message,
  nodes: readonly TreeNode[],
  describe: (node: TreeNode) => string,
): string[] {
  const section = namedSection(ctx.show(title), nodes.slice(0, MOST_NAMED), describe);
  return nodes.length > MOST_NAMED ? [...section, ctx.show(andMore({ more: nodes.length - MOST_NAMED }))] : section;
}

function namedSection(title: string, nodes: readonly TreeNode[], describe: (node: TreeNode) => string): string[] {
  return nodes.length === 0 ? [] : [`## ${title}`, nodes.map((node) => `- ${describe(node)}`).join('\n')];
}

function statistics(ctx: ThoughtSearch, results: Results): string[] {
  const { settings } = ctx;
  const byPurpose = Object.entries(ctx.history.past.statistics.callsByPurpose).sort(([a], [b]) => (a < b ? -1 : 1));
  const agreement = agreementOf(ctx);
  let merged = 0;
  for (const node of walk(ctx.tree.root)) if (node.leafReason === 'duplicate') merged++;
  const progress = progressWords(progressOf(ctx.tree.counts), thoughtsDescriptor.words);
  const ofSteps = [
    say.nodes({ progress, merged, pruned: results.pruned }),
    say.backtracks({ backtracks: backtracks(ctx, settings.strategy) }),
  ];
  const figures = [
    say.strategy({ strategy: settings.strategy }),
    // A draft that nobody wrote again was read all the same, and none is a step back.
    ...(settings.writesDrafts ? [] : ofSteps),
    ...(agreement ? [say.agreement({ share: Math.round(100 * agreement.agreed), count: agreement.pairs })] : []),
  ];
  const shared = modelResults(ctx);
  const cost = [
    byPurpose.length === 0
      ? say.noCalls()
      : say.callsByPurpose({ calls: byPurpose.map(([purpose, count]) => `${purpose} ${count}`).join(', ') }),
    ...(results.calls === 0 ? [] : [tokensLine(results.tokens)]),
    moneyLine(results, ctx.model.free && results.tokens.worstCase === 0),
    timeLine(results.minutes),
    modelsLine([...new Set([ctx.model.name, ...shared.map(({ model }) => model)].map((name) => plainLine(name, 100)))]),
  ];
  const models = shared.map((each) => modelLine(each));
  return [
    `## ${ctx.show(say.figures())}`,
    list(ctx, figures),
    `## ${ctx.show(costTitle())}`,
    list(ctx, cost),
    ...(models.length > 0 ? [`## ${ctx.show(say.modelsTitle())}`, list(ctx, models)] : []),
  ];
}

/** Says what one of several models was worth. */
function modelLine({ model, calls, usd, judged, good, best }: ModelResult): Message {
  const about = { model: plainLine(model, 100), calls: heldCalls({ count: calls }), usd };
  if (judged === 0) return say.modelNoWorth(about);
  const mean = Math.round((100 * good) / judged) / 10;
  return say.modelWorth({ ...about, judged: say.thoughtsJudged({ count: judged }), good: mean, best: best ?? 0 });
}

function list(ctx: ThoughtSearch, lines: readonly Message[]): string {
  return lines.map((line) => `- ${ctx.show(line)}`).join('\n');
}

/** Returns the results of a search for a solution, in numbers and paths. */
export function thoughtResults(ctx: ThoughtSearch): Findings {
  const { settings, answer } = ctx;
  const { solved, finished, best } = outcomeOf(ctx);
  const models = modelResults(ctx);
  return {
    solved: solved !== undefined,
    ...(finished && answer !== undefined ? { answer } : {}),
    finishedPath: slugsTo(finished),
    bestPath: slugsTo(best),
    backtracks: backtracks(ctx, settings.strategy),
    next: nextActions(ctx),
    callsByPurpose: ctx.history.past.statistics.callsByPurpose,
    ...(models.length > 0 && { models }),
  };
}

function slugsTo(node: TreeNode | undefined): string[] {
  return node ? lineageOf(node).map(pathOf) : [];
}

/** Says why a search has no answer, and what may be done; undefined if it has one, or has not begun. */
export function whyNoAnswer(ctx: ThoughtSearch): Message | undefined {
  if (!ctx.tree.root.listed || outcomeOf(ctx).finished) return undefined;
  const { pruned, best } = prunedIn(ctx);
  const unscored = [...walk(ctx.tree.root)].filter((node) => node.file?.unscored).length;
  if (unscored > 0) return notJudged({ count: unscored });
  if (!best) return nothingLeft();
  return allPruned({ count: pruned, score: scoreText(best) ?? '?', threshold: ctx.settings.threshold });
}

/** Suggests to a person, where nothing was found, settings that change something; else another solution. */
function nextActions(ctx: ThoughtSearch): NextAction[] {
  if (!ctx.tree.root.listed) return [];
  const { solved, finished } = outcomeOf(ctx);
  if (solved) return [{ action: 'another-solution', args: {} }];
  if (finished) return [];
  const { best } = prunedIn(ctx);
  const { threshold, candidates } = ctx.settings;
  const lower = Math.max(0, Math.min(Math.floor(best?.evaluation?.score ?? threshold), threshold - 1));
  return [
    ...(best ? [{ action: 'reconsider', args: { threshold: lower } }] : []),
    { action: 'reconsider', args: { candidates: Math.min(CANDIDATES.most, 2 * candidates) } },
  ];
}

/** Counts the thoughts that were pruned, and finds the best of those that a judge's word pruned. */
function prunedIn({ tree }: ThoughtSearch): { pruned: number; best: TreeNode | undefined } {
  const pruned = [...walk(tree.root)].filter(({ status }) => status === 'pruned');
  const judged = pruned.filter(({ prunedBy }) => prunedBy === 'threshold' || prunedBy === 'evaluator');
  return { pruned: pruned.length, best: judged.sort(byPromise)[0] };
}

const LONGEST_LINE_OF_TREE = 80;

/** Returns the text tree of a search without running it. */
export function textTreeOf(file: Pick<SearchFile, 'options' | 'prompt' | 'strategy'>, tree: Tree): string[] {
  const { task: name } = thoughtOptionsIn(file);
  const task = name === undefined ? undefined : findTaskOrStandIn(name);
  const { finished, best } = outcomeIn(tree, task?.solved !== undefined, file.strategy === 'drafts');
  return textTree(tree, file.prompt, finished ?? best);
}

/**
 * The tree as the source draws it: `├── node_1 [13-9=4] score:7.5 ★`. A star marks the best path, three ticks a solution,
 * `[PRUNED]` pruned nodes.
 * @param best the end of the best path
 * @param most the maximum number of lines; the last one gives the number of those left out
 */
export function textTree(tree: Tree, start: string, best: TreeNode | undefined, most = 500): string[] {
  const starred = new Set(best ? lineageOf(best) : []);
  const lines = [`root [${oneLine(start, LONGEST_LINE_OF_TREE)}]`];
  // A loop, since trees can be deep: each entry with the text before it.
  const stack: { node: TreeNode; indent: string }[] = [];
  const push = (parent: TreeNode, indent: string): void => {
    for (let i = parent.children.length - 1; i >= 0; i--) stack.push({ node: parent.children[i] as TreeNode, indent });
  };
  push(tree.root, '');
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (lines.length >= most) {
      lines.push(`… ${tree.size - lines.length + 1} more`);
      break;
    }
    const { node, indent } = next;
    const isLast = node.index === (node.parent?.children.length ?? 0) - 1;
    lines.push(`${indent}${isLast ? '└──' : '├──'} ${nodeLine(node, starred.has(node))}`);
    push(node, `${indent}${isLast ? '    ' : '│   '}`);
  }
  return lines;
}

function nodeLine(node: TreeNode, isBest: boolean): string {
  const { evaluation, status, leafReason, prunedBy, sameAs } = node;
  const parts = [thoughtId(node), `[${oneLine(node.title, LONGEST_LINE_OF_TREE)}]`];
  if (evaluation) parts.push(`score:${evaluation.score.toFixed(1)}`);
  if (node.unscored) parts.push('unscored');
  if (isBest) parts.push('★');
  if (leafReason === 'solved') parts.push('✓✓✓');
  if (isClaimed(node)) parts.push('✓?');
  if (status === 'pruned') parts.push(`[PRUNED]${prunedBy ? ` by ${prunedBy}` : ''}`);
  if (status === 'failed') parts.push('[FAILED]');
  if (sameAs !== undefined && leafReason === 'duplicate') parts.push(`(same as ${sameAs.split('/').at(-1)})`);
  if (node.selected === false) parts.push('(set aside)');
  return parts.join(' ');
}
