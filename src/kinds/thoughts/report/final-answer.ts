import { noted } from '../../../core/messages/message.ts';
import type { PromptData } from '../../../core/ports/model.ts';
import { isThoughtTreeError, toThoughtTreeError } from '../../../core/search/errors.ts';
import { proseIn } from '../../../core/text/model-output.ts';
import { lineageOf, type TreeNode } from '../../../core/tree/tree.ts';
import { closingCall } from '../../../engine-parts/report/written-answer.ts';
import { notesFor, notesText } from '../../../engine-parts/transcripts/conversations.ts';
import * as say from '../messages.ts';
import { hookFailed } from '../messages.ts';
import {
  type Account,
  type AccountedAnswer,
  type AnswerData,
  accountedAnswer,
  answerPrompt,
  MOST_FOUND,
  type ReviewData,
  type RewriteData,
  reviewPrompt,
  rewritePrompt,
} from '../prompts/answer-prompts.ts';
import { draftIn, draftPrompt } from '../prompts/draft-prompts.ts';
import { readReview } from '../prompts/thought-answers.ts';
import { accountsOf, defectsOf, draftData, judgedPath, planData } from '../prompts/thought-data.ts';
import { restsOn } from '../strategy/whole-solutions.ts';
import { pathTo, thoughtAt } from '../thought-document.ts';
import type { ThoughtSearch } from '../thought-search.ts';
import { outcomeOf } from './outcome.ts';

export const LONGEST_ANSWER = 20_000;
/** The call for the answer; its bytes are those of the path and of the words around it. */
export const ANSWER_CALL = { purpose: 'synthesize', bytes: 40_000, maxOutputTokens: 5000 } as const;
/** The path in the answer's request, in characters; of a longer one, each step is cut. */
const LONGEST_PATH = 30_000;

/**
 * Writes the answer that a path leads to: what the model makes of it, given back as often as a reader finds defects and the
 * settings allow, or else its last thought. Each defect that a judge named on the path, or that reader, is in it, as mended
 * or as open.
 */
export async function finalAnswer(ctx: ThoughtSearch, end: TreeNode): Promise<{ text: string; isWritten: boolean }> {
  if (ctx.settings.writesDrafts) return { text: await finalDraft(ctx, end), isWritten: true };
  const data = await answerData(ctx, end);
  const { objections } = data.path;
  const written = await ask(ctx, data.purpose, answerPrompt(data), data);
  const last = data.path.steps.at(-1)?.content ?? end.title;
  const told = await reviewedAnswer(ctx, data, accountedAnswer(written ?? '', objections));
  // A defect that the request had no room for is in no answer, and stays open.
  const unasked = defectsOf(restsOn(ctx.tree, end)).filter((defect) => !objections.includes(defect));
  const accounted = { ...told, open: [...told.open, ...unasked.map((defect) => ({ defect, how: '' }))] };
  const answer = accounted.answer === '' ? last : accounted.answer;
  ctx.openDefects = accounted.open.map(({ defect }) => defect);
  const parts = [...doubts(ctx, lineageOf(end)), answer, ...sections(ctx, accounted)];
  return { text: parts.join('\n\n'), isWritten: accounted.answer !== '' };
}

/**
 * Returns the best draft as it stands: what drafts that lost have is not put into it. Only where its last reader would not act on it
 * is it written again once more, if the budget has room. What was found in it, and in those that it came from, stands below it.
 */
async function finalDraft(ctx: ThoughtSearch, end: TreeNode): Promise<string> {
  const { content: draft } = await thoughtAt(ctx, end);
  const data = { ...(await draftData(ctx, end)), purpose: 'synthesize' as const };
  const { defects } = data;
  const { solution, confirmed = true } = end.evaluation ?? {};
  const isReady = (solution && confirmed) || defects.length === 0 || ctx.settings.repairs === 0;
  const said = isReady ? undefined : await ask(ctx, data.purpose, draftPrompt(data), data);
  const again = said === undefined ? undefined : draftIn(said, defects);
  const isWhole = again !== undefined && again.content.length >= LEAST_OF_ANSWER * draft.length;
  const last = isWhole ? again : { content: draft, open: defects.map((defect) => ({ defect, how: '' })) };
  const earlier = accountsOf(end);
  const mended = [...earlier.mended, ...((isWhole && again.mended) || [])];
  const told = { answer: last.content, mended, open: [...earlier.open, ...(last.open ?? [])] };
  ctx.openDefects = told.open.map(({ defect }) => defect);
  return [...doubts(ctx, [end]), told.answer, ...sections(ctx, told)].join('\n\n');
}

async function answerData(ctx: ThoughtSearch, end: TreeNode): Promise<AnswerData> {
  const path = await judgedPath(ctx, end);
  const most = Math.floor(LONGEST_PATH / Math.max(1, path.steps.length));
  const whole = path.steps.reduce((sum, { content }) => sum + content.length, 0) <= LONGEST_PATH;
  const steps = path.steps.map((step) => (whole ? step : { ...step, content: step.content.slice(0, most) }));
  const notes = notesText(await notesFor(ctx, end));
  return {
    purpose: 'synthesize',
    question: ctx.file.prompt,
    plan: await planData(ctx),
    path: { ...path, steps },
    notes,
  };
}

/** Asks the model for a text that the answer needs, once; undefined if there is none. */
async function ask(
  ctx: ThoughtSearch,
  purpose: 'synthesize' | 'review',
  prompt: string,
  data: PromptData,
): Promise<string | undefined> {
  if (ctx.model.prose === false) return undefined;
  const { maxOutputTokens } = ANSWER_CALL;
  const closing = await closingCall(ctx, purpose, { prompt, data, maxOutputTokens });
  if ('answer' in closing) {
    const { finish, text } = closing.answer;
    const answer = proseIn(text).trim().slice(0, LONGEST_ANSWER);
    return finish === 'stop' && answer !== '' ? answer : undefined;
  }
  if (closing.none === 'failed')
    ctx.history.note({ type: 'progress', ...noted(say.noClosingWords({ why: closing.why }), 200) });
  return undefined;
}

/** The share of an answer's length below which what comes back is no answer, but remarks on one. */
const LEAST_OF_ANSWER = 0.3;

/**
 * Lets somebody who has not seen how the answer was made read it, and the model write it again without the defects that were
 * found: what is made step by step is never read as a whole otherwise. It ends with a reader who finds nothing, or without
 * room for another call. A task that tells solutions itself needs no reader.
 */
async function reviewedAnswer(
  ctx: ThoughtSearch,
  { question, plan, notes }: AnswerData,
  first: AccountedAnswer,
): Promise<AccountedAnswer> {
  let told = first;
  const rounds = ctx.settings.task?.solved ? 0 : ctx.settings.repairs;
  for (let round = 0; round < rounds && told.answer !== ''; round++) {
    const about = { question, plan, answer: told.answer, notes };
    const defects = await defectsFound(ctx, { purpose: 'review', ...about });
    if (defects.length === 0) break;
    const data: RewriteData = { purpose: 'synthesize', ...about, defects };
    const again = accountedAnswer((await ask(ctx, data.purpose, rewritePrompt(data), data)) ?? '', defects);
    const isWhole = again.answer.length >= LEAST_OF_ANSWER * told.answer.length;
    if (!isWhole) return { ...told, open: [...told.open, ...defects.map((defect) => ({ defect, how: '' }))] };
    told = { answer: again.answer, mended: [...told.mended, ...again.mended], open: [...told.open, ...again.open] };
  }
  return told;
}

async function defectsFound(ctx: ThoughtSearch, data: ReviewData): Promise<string[]> {
  const said = await ask(ctx, data.purpose, reviewPrompt(data), data);
  if (said === undefined) return [];
  try {
    return readReview(said).slice(0, MOST_FOUND);
  } catch (error) {
    if (!isThoughtTreeError(error, 'bad-answer')) throw error;
    ctx.history.note({ type: 'progress', ...noted(say.noClosingWords({ why: error.say }), 200) });
    return [];
  }
}

/** Returns an answer's warnings that judgements of its path failed, or were less thorough than asked for. */
function doubts(ctx: ThoughtSearch, path: readonly TreeNode[]): string[] {
  const unscored = path.filter((node) => node.unscored === true).length;
  const poor = path.filter(({ evaluation }) => evaluation?.low_confidence === true).length;
  return [
    ...(unscored > 0 ? [ctx.show(say.stepsUnscored({ count: unscored, all: path.length }))] : []),
    ...(poor > 0 ? [ctx.show(say.stepsJudgedPoorly({ count: poor, all: path.length }))] : []),
  ];
}

function sections(ctx: ThoughtSearch, { mended, open }: AccountedAnswer): string[] {
  return [
    ...listOf(`**${ctx.show(say.foundAndMended())}**`, mended),
    ...listOf(`**${ctx.show(say.foundAndOpen())}**`, open),
  ];
}

function listOf(title: string, accounts: readonly Account[]): string[] {
  if (accounts.length === 0) return [];
  const lines = accounts.map(({ defect, how }) => `- ${defect}${how === '' ? '' : ` → ${how}`}`);
  return [`${title}\n\n${lines.join('\n')}`];
}

/** Takes up the final answer of an earlier run: as the task composes it, else as the model wrote it into the report. */
export async function takeUpAnswer(ctx: ThoughtSearch): Promise<void> {
  await composeAnswer(ctx);
  const { past } = ctx.history;
  if (past.isReportFresh) ctx.answer ??= past.findings(ctx.file.kind)?.answer;
}

/** Writes the final answer of a solved search down, where that takes no model: as the task composes it. */
export async function composeAnswer(ctx: ThoughtSearch): Promise<void> {
  const { solved } = outcomeOf(ctx);
  ctx.answer = solved && (await composed(ctx, solved));
}

async function composed(ctx: ThoughtSearch, node: TreeNode): Promise<string | undefined> {
  const { task } = ctx.settings;
  if (!task?.compose) return undefined;
  try {
    return task.compose(await pathTo(ctx, node));
  } catch (error) {
    ctx.history.note({
      type: 'progress',
      ...noted(hookFailed({ hook: 'compose', why: toThoughtTreeError(error).say }), 200),
    });
    return undefined;
  }
}
