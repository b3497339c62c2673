import { noted } from '../../../core/messages/kept.ts';
import type { Message } from '../../../core/messages/message.ts';
import type { Results } from '../../../core/search/events.ts';
import { progressOf, progressWords } from '../../../core/search/progress.ts';
import { lastOutput } from '../../../core/text/output-block.ts';
import { prunedWords } from '../../../core/tree/messages.ts';
import { isPruned, lineageOf, type TreeNode, walk } from '../../../core/tree/tree.ts';
import { closingCall } from '../../../engine/calls/closing-call.ts';
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
import { exhausted, noClosingWords } from '../messages.ts';
import { answerPrompt } from '../prompts/prompts.ts';
import { thoughtsTo } from '../thought-document.ts';
import type { ThoughtSearch } from '../thought-search.ts';
import { composeAnswer } from './answer.ts';
import { agreementOf, backtracks, type Outcome, outcomeOf } from './outcome.ts';
import { textTree } from './text-tree.ts';

const LONGEST_ANSWER = 20_000;
/** The call for the answer; its bytes are those of the path and of the words around it. */
export const ANSWER_CALL = { purpose: 'synthesize', bytes: 24_000, maxOutputTokens: 2000 } as const;
const MOST_NAMED = 15;
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
    ...namedSection(ctx.show(say.alternatives()), outcome.alternatives, (node) => scored(ctx, node)),
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
    if (!isInterim) ctx.history.note({ type: 'progress', ...noted(exhausted()) });
    if (!best) return [ctx.show(isInterim ? say.notSolvedYet() : say.noSolution())];
    const nearest = { score: scoreText(best) ?? '?', end: linkTo(best) };
    return [ctx.show(isInterim ? say.notSolvedYetButPath(nearest) : say.noSolutionButPath(nearest))];
  }
  const reached = end ? [ctx.show(say.answerAt({ count: lineageOf(end).length, end: linkTo(end) }))] : [];
  return [...(await answerText(ctx, end)), ...reached];
}

async function answerText(ctx: ThoughtSearch, end: TreeNode | undefined): Promise<string[]> {
  const { answer, settings } = ctx;
  if (answer !== undefined) return [`**${plainLine(answer, 1000)}**`];
  if (!end) return [];
  const written = settings.task?.compose || ctx.model.prose === false ? undefined : await askForAnswer(ctx, end);
  ctx.answer = written;
  if (written !== undefined) return [safe(written)];
  const last = (await thoughtsTo(ctx, end)).at(-1);
  return [safe(last?.content ?? end.title)];
}

/** Asks the model for the final answer, once; undefined if there is none. */
async function askForAnswer(ctx: ThoughtSearch, end: TreeNode): Promise<string | undefined> {
  const path = (await thoughtsTo(ctx, end)).map(({ content }) => content);
  const outline = path
    .map((content, index) => `${index + 1}. ${content}`)
    .join('\n')
    .slice(0, LONGEST_ANSWER);
  const data = { purpose: 'synthesize' as const, question: ctx.file.prompt, outline, documents: [], notes: '' };
  const closing = await closingCall(ctx, ANSWER_CALL.purpose, {
    prompt: answerPrompt(outline),
    data,
    maxOutputTokens: ANSWER_CALL.maxOutputTokens,
  });
  if ('answer' in closing) {
    const { finish, text } = closing.answer;
    const answer = (lastOutput(text) ?? text).trim().slice(0, LONGEST_ANSWER);
    return finish === 'stop' && answer !== '' ? answer : undefined;
  }
  if (closing.none === 'failed')
    ctx.history.note({ type: 'progress', ...noted(noClosingWords({ why: closing.why }), 200) });
  return undefined;
}

/** A model's Markdown, without its links and HTML. */
function safe(markdown: string): string {
  const blocks = blocksOf(markdown.slice(0, LONGEST_ANSWER).trim());
  return blocks.map((block) => safeBlock(block, () => undefined)).join('\n\n') || '?';
}

function pathSection(ctx: ThoughtSearch, { finished, best }: Outcome): string[] {
  const end = finished ?? best;
  if (!end) return [];
  const lines = lineageOf(end).map((node, index) => `${index + 1}. ${scored(ctx, node)}`);
  return [`## ${ctx.show(finished ? say.itsPath() : say.bestPath())}`, lines.join('\n')];
}

function linkTo(node: TreeNode): string {
  return `[${titleOf(node)}](${documentLink(node)})`;
}

function scored(ctx: ThoughtSearch, node: TreeNode): string {
  const score = scoreText(node);
  return `${linkTo(node)}${score === undefined ? '' : `, ${ctx.show(scoreOf({ score }))}`}`;
}

function prunedSection(ctx: ThoughtSearch): string[] {
  const pruned: TreeNode[] = [];
  let count = 0;
  for (const node of walk(ctx.tree.root)) {
    if (node.status !== 'pruned' || (node.parent && isPruned(node.parent))) continue;
    if (++count <= MOST_NAMED) pruned.push(node);
  }
  const section = namedSection(ctx.show(say.prunedTitle()), pruned, (node) => {
    return `${scored(ctx, node)}, ${ctx.show(prunedWords[node.prunedBy ?? 'user']())}`;
  });
  return count > pruned.length ? [...section, ctx.show(andMore({ more: count - pruned.length }))] : section;
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
