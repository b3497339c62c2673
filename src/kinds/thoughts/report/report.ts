import { noted } from '../../../core/messages/kept.ts';
import type { Message } from '../../../core/messages/message.ts';
import type { Results } from '../../../core/search/events.ts';
import { progressOf, progressWords } from '../../../core/search/progress.ts';
import { asSentence } from '../../../core/text/text.ts';
import { prunedWords } from '../../../core/tree/messages.ts';
import { isPruned, lineageOf, type TreeNode, walk } from '../../../core/tree/tree.ts';
import { modelsLine, moneyLine, timeLine, tokensLine } from '../../../engine/report/cost-lines.ts';
import { interimNotice } from '../../../engine/report/interim.ts';
import { documentLink } from '../../../engine/report/link-target.ts';
import { blocksOf } from '../../../engine/report/markdown-blocks.ts';
import { andMore, cost as costTitle, score as scoreOf } from '../../../engine/report/messages.ts';
import { scoreText, titleOf } from '../../../engine/report/node-text.ts';
import { fenced, plainLine, safeBlock } from '../../../engine/report/safe-markdown.ts';
import { resultsOf } from '../../../engine/results.ts';
import { thoughtsFace } from '../face.ts';
import * as say from '../messages.ts';
import { byPromise, comparisonsOf, sourcesOf } from '../strategy/comparisons.ts';
import { thoughtAt } from '../thought-document.ts';
import type { ThoughtSearch } from '../thought-search.ts';
import { composeAnswer } from './answer.ts';
import { finalAnswer, LONGEST_ANSWER } from './final-answer.ts';
import { agreementOf, backtracks, type Outcome, outcomeOf } from './outcome.ts';
import { whyNoAnswer } from './results.ts';
import { textTree } from './text-tree.ts';

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
    ...namedSection(ctx.show(say.alternatives()), outcome.alternatives, (node) => withReasons(ctx, node)),
    ...leftSection(ctx, outcome),
    ...prunedSection(ctx),
    ...(outcome.finished
      ? []
      : [`## ${ctx.show(say.theTree())}`, fenced(textTree(ctx.tree, ctx.start, outcome.best, MOST_LINES), '')]),
    ...statistics(ctx, spent),
  ];
  await ctx.store.writeReport(`${parts.join('\n\n')}\n`);
}

/** The answer, and where it was reached; or that there is none, and what comes nearest. */
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
  const reached = end ? [ctx.show(say.answerAt({ count: lineageOf(end).length, end: linkTo(end) }))] : [];
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

/** A model's Markdown, without its links and HTML. */
function safe(markdown: string): string {
  const blocks = blocksOf(markdown.slice(0, 2 * LONGEST_ANSWER).trim());
  return blocks.map((block) => safeBlock(block, () => undefined)).join('\n\n') || '?';
}

function pathSection(ctx: ThoughtSearch, { finished, best }: Outcome): string[] {
  const end = finished ?? best;
  if (!end) return [];
  const lines = lineageOf(end).map((node, index) => `${index + 1}. ${withReasons(ctx, node)}`);
  return [`## ${ctx.show(finished ? say.itsPath() : say.bestPath())}`, lines.join('\n')];
}

function linkTo(node: TreeNode): string {
  return `[${titleOf(node)}](${documentLink(node)})`;
}

function scored(ctx: ThoughtSearch, node: TreeNode): string {
  const score = scoreText(node);
  return `${linkTo(node)}${score === undefined ? '' : `, ${ctx.show(scoreOf({ score }))}`}`;
}

/** A thought with what a judge says of it: what decided, else the first objections. */
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

/** A section with the first of these nodes, and how many more there are. */
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
  const figures = [
    say.strategy({ strategy: settings.strategy }),
    say.nodes({
      progress: progressWords(progressOf(ctx.tree.counts), thoughtsFace.words),
      merged,
      pruned: results.pruned,
    }),
    say.backtracks({ backtracks: backtracks(ctx, settings.strategy) }),
    ...(agreement ? [say.agreement({ share: Math.round(100 * agreement.agreed), count: agreement.pairs })] : []),
  ];
  const cost = [
    byPurpose.length === 0
      ? say.noCalls()
      : say.callsByPurpose({ calls: byPurpose.map(([purpose, count]) => `${purpose} ${count}`).join(', ') }),
    ...(results.calls === 0 ? [] : [tokensLine(results.tokens)]),
    moneyLine(results, ctx.model.free && results.tokens.worstCase === 0),
    timeLine(results.minutes),
    modelsLine([plainLine(ctx.model.name, 100)]),
  ];
  return [`## ${ctx.show(say.figures())}`, list(ctx, figures), `## ${ctx.show(costTitle())}`, list(ctx, cost)];
}

function list(ctx: ThoughtSearch, lines: readonly Message[]): string {
  return lines.map((line) => `- ${ctx.show(line)}`).join('\n');
}
