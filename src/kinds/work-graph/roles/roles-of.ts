import * as z from 'zod';
import type { Model } from '../../../core/ports/model.ts';
import type { CommitId, Workshop } from '../../../core/ports/workshop.ts';
import type { Conversation } from '../../../core/search/conversation.ts';
import { isThoughtTreeError, ThoughtTreeError } from '../../../core/search/errors.ts';
import { digest, oneLine } from '../../../core/text/text.ts';
import type { SearchContext } from '../../../engine/context.ts';
import type { Prompt } from '../../../engine/question.ts';
import { workspaceContext } from '../../../engine-parts/citations/workspace-context.ts';
import { notesFor, withNotes } from '../../../engine-parts/transcripts/conversations.ts';
import type { WorkGraphPurpose } from '../descriptor.ts';
import { matcherOf } from '../evidence/path-globs.ts';
import { sameName, wrongAnswer, wrongOrder, wrongParts, wrongPlanOfModel, wrongScores } from '../messages.ts';
import { CheckItem, CommandLine, commandsOf, FileGlob, PlanFile, PlannedAtom, PlannedGroup } from '../plan/plan.ts';
import { checkPlan } from '../plan/plan-file.ts';
import { askAboutAtom, atomData, probe, unruled, workByModel } from './ask-about-atom.ts';
import {
  alignPrompt,
  cutText,
  cutTexts,
  decomposePrompt,
  type GoalData,
  type JudgeData,
  judgePrompt,
  planPrompt,
  readAnswer,
  shortened,
} from './prompts.ts';
import type { AtomTask, JudgeTask, Part, Roles } from './roles.ts';

/**
 * Returns what the models of a search can do. One that writes no text can do nothing, so that a graph of commands runs
 * without any; one that can handle no files does no work.
 */
export function rolesOf(ctx: SearchContext): Roles {
  const { workshop } = ctx;
  const writes = (purpose: WorkGraphPurpose): boolean => ctx.modelFor(purpose).prose !== false;
  const inPlace = workshop && { ...ctx, workshop };
  return {
    ...(writes('plan') && { makePlan: (signal, earlier) => makePlan(ctx, signal, earlier) }),
    ...(writes('decompose') && { decompose: (task, signal) => decomposeAtom(ctx, task, signal) }),
    ...(inPlace && handlesFiles(ctx, 'probe') && { probe: (task, at, signal) => probe(ctx, task, at, signal) }),
    ...(inPlace &&
      handlesFiles(ctx, 'work-on') && {
        work: (task, at, commands, signal) => workByModel(inPlace, task, at, commands, signal),
      }),
    ...(inPlace && writes('judge-quality') && { judge: (task, signal) => judgeQuality(inPlace, task, signal) }),
  };
}

function handlesFiles({ modelFor, toolsIn }: SearchContext, purpose: WorkGraphPurpose): boolean {
  const { prose, worksByItself, tools }: Model = modelFor(purpose);
  return prose !== false && (worksByItself === true || (tools === true && toolsIn !== undefined));
}

/** The number of times that it is judged: one judge alone is often wrong. */
const VOTES = 3;
const VOTE_TOKENS = 2000;
/** Characters of all files together, and of one. */
const MOST_QUOTED = 60_000;
const LONGEST_FILE = 20_000;
const MOST_NAMED = 50;

/** Votes about the quality of work. The same files are judged once, whatever commit they are in. */
async function judgeQuality(
  ctx: SearchContext & { readonly workshop: Workshop },
  { node, item, quality, commit }: JudgeTask,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const { rubric, scope } = quality;
  const prompt = judgePrompt({ item, rubric, ...(await judgedFiles(ctx.workshop, commit, scope)) });
  const weights = rubric.map(({ weight }) => weight);
  const id = `judge-${digest(prompt, JSON.stringify(weights))}`;
  let conversation = (await ctx.store.readConversation(id)) ?? { id, turns: [] };
  const votes: number[] = [];
  for (let nth = 0; nth < VOTES; nth++) {
    const answer = await ctx.asks.ask(
      {
        purpose: 'judge-quality',
        node,
        keep: { conversation, nth },
        // Each judges alone: none learns what the others said.
        words: () => ({
          prompt,
          data: unruled(ctx),
          maxOutputTokens: VOTE_TOKENS,
          workplace: { rights: 'read' as const },
        }),
        check: (text) => checkVote(text, weights),
      },
      signal,
    );
    votes.push(answer.value);
    conversation = answer.conversation;
  }
  return votes;
}

/** Returns the files of the scope as they are in a commit; without a scope, what was changed since the beginning. */
async function judgedFiles(
  workshop: Workshop,
  commit: CommitId,
  scope: string | undefined,
): Promise<Pick<JudgeData, 'files' | 'left'>> {
  const paths = await pathsIn(workshop, commit, scope);
  const files: { path: string; text: string }[] = [];
  const left: string[] = [];
  let room = MOST_QUOTED;
  for (const path of paths) {
    const text = room > 0 ? await workshop.fileAt(commit, path) : undefined;
    if (text === undefined) {
      if (left.length < MOST_NAMED) left.push(path);
      continue;
    }
    const shown = shortened(text, Math.min(LONGEST_FILE, room));
    room -= shown.length;
    files.push({ path, text: shown });
  }
  return { files, left };
}

async function pathsIn(workshop: Workshop, commit: CommitId, scope: string | undefined): Promise<readonly string[]> {
  if (scope !== undefined) return (await workshop.pathsAt(commit)).filter(matcherOf([scope])).sort();
  const start = await workshop.start();
  const { files } = start === undefined ? { files: [] } : await workshop.diff(start, commit);
  return files.filter(({ change }) => change !== 'deleted').map(({ path }) => path);
}

const Score = z.looseObject({ criterion: z.unknown(), score: z.number().min(1).max(5) });
const Answer = z.looseObject({ scores: z.array(z.union([Score, z.number().min(1).max(5)])).max(100) });

/**
 * One vote: the mean of the scores from 1 to 5, by the weights relative to each other.
 * @throws ThoughtTreeError `bad-answer`
 */
export function checkVote(text: string, weights: readonly number[]): number {
  const { scores } = readAnswer(text, Answer);
  if (scores.length !== weights.length)
    throw new ThoughtTreeError('bad-answer', wrongScores({ count: weights.length }));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const weighed = scores.reduce<number>((all, each, i) => all + scoreOf(each) * (weights[i] ?? 0), 0);
  return Math.round((weighed / sum) * 1000) / 1000;
}

function scoreOf(each: number | { readonly score: number }): number {
  return typeof each === 'number' ? each : each.score;
}

/** The longest answers requested, in tokens. */
const PLAN_TOKENS = { align: 3000, plan: 10_000 } as const;

type PlanPurpose = keyof typeof PLAN_TOKENS;

/**
 * Makes the goal clear, then plans the work. Both answers are kept, so that a plan that was paid for is never asked for again.
 * @param earlier a plan whose goal counts
 */
async function makePlan(ctx: SearchContext, signal: AbortSignal, earlier?: PlanFile): Promise<PlanFile> {
  const goal = earlier ? goalOf(earlier) : await align(ctx, signal);
  const conversation = await conversationOf(ctx, `plan-${digest(JSON.stringify(goal))}`);
  const { value } = await ctx.asks.ask(
    {
      purpose: 'plan',
      keep: { conversation },
      words: () => wordsOf(ctx, 'plan', (reads) => planPrompt({ ...goal, reads }), signal),
      check: (text) => checkPlanned(text, goal, earlier),
    },
    signal,
  );
  return value;
}

async function align(ctx: SearchContext, signal: AbortSignal): Promise<GoalData> {
  const { value } = await ctx.asks.ask(
    {
      purpose: 'align',
      keep: { conversation: await conversationOf(ctx, 'align') },
      words: () => wordsOf(ctx, 'align', alignPrompt, signal),
      check: (text) => checkAligned(text, ctx.file.prompt),
    },
    signal,
  );
  return { ...value, clarifications: await Promise.all(value.clarifications.map((each) => withSource(ctx, each))) };
}

/** An answer comes from a file only if there is such a file; otherwise it is an assumption, for the person to look at. */
async function withSource(
  { workspaceText }: SearchContext,
  clarification: GoalData['clarifications'][number],
): Promise<GoalData['clarifications'][number]> {
  const [path = ''] = clarification.from.replace(/^\.\//, '').split(/[:#,\s]/);
  const found = path === '' ? undefined : await workspaceText?.read(path);
  return { ...clarification, from: found && 'text' in found ? path : ASSUMED };
}

async function conversationOf({ store }: SearchContext, id: string): Promise<Conversation> {
  return (await store.readConversation(id)) ?? { id, turns: [] };
}

async function wordsOf(
  ctx: SearchContext,
  purpose: PlanPurpose,
  prompt: (reads: boolean) => string,
  signal: AbortSignal,
): Promise<Prompt> {
  const model = ctx.modelFor(purpose);
  const usesTools = model.tools === true && ctx.asks.tools !== undefined;
  const notes = await notesFor(ctx, undefined);
  const context = await workspaceContext(ctx, { question: ctx.file.prompt, lineage: [] }, [], signal);
  const text = prompt(usesTools || model.worksByItself === true);
  return {
    prompt: withNotes(context.quoted.length > 0 ? `${text}\n\n${context.text}` : text, notes),
    noted: {
      ...(notes.length > 0 && { notes: notes.map(({ id }) => id) }),
      ...(context.quoted.length > 0 && { quoted: context.quoted }),
    },
    data: unruled(ctx),
    maxOutputTokens: PLAN_TOKENS[purpose],
    mayUseTools: usesTools,
    workplace: { rights: 'read' },
  };
}

function goalOf(plan: PlanFile): GoalData {
  const { goal, background, deliverables, done, constraints, in_scope, out_of_scope, clarifications } = plan;
  return { goal, background, deliverables, done, constraints, in_scope, out_of_scope, clarifications };
}

/** The most atoms that a model plans: a plan is for a person to read. */
const MOST_PLANNED = 60;
const LONGEST_LINE = 1000;

const Clarification = z.looseObject({
  question: cutText(LONGEST_LINE),
  answer: cutText(4000),
  from: cutText(LONGEST_LINE).nullish(),
});

const Aligned = z.looseObject({
  goal: cutText(20_000),
  background: cutText(20_000).nullish(),
  deliverables: cutTexts(200, LONGEST_LINE),
  done: cutTexts(200, LONGEST_LINE),
  constraints: cutTexts(200, LONGEST_LINE),
  in_scope: cutTexts(200, LONGEST_LINE),
  out_of_scope: cutTexts(200, LONGEST_LINE),
  clarifications: z.array(Clarification).max(1000).nullish(),
});

/** The origin of an answer that comes from no file: a person reads it, and changes it. */
export const ASSUMED = 'assumed';

/** Returns a goal that was made clear. @throws ThoughtTreeError `bad-answer` */
export function checkAligned(text: string, asked: string): GoalData {
  const { goal, background, clarifications, ...lists } = readAnswer(text, Aligned);
  const { deliverables, done, constraints, in_scope, out_of_scope } = lists;
  const settled = (clarifications ?? [])
    .map(({ question, answer, from }) => ({
      question: question.trim(),
      answer,
      from: oneLine(from ?? '', LONGEST_LINE) || ASSUMED,
    }))
    .filter(({ question }) => question !== '');
  return {
    goal: goal.trim() || asked,
    ...(background?.trim() && { background }),
    deliverables,
    done,
    constraints,
    in_scope,
    out_of_scope,
    clarifications: settled.slice(0, 50),
  };
}

const Planned = z.looseObject({
  base_case: z.array(CheckItem).min(1).max(100),
  set_up: CommandLine.nullish(),
  atoms: z.array(PlannedAtom).min(1).max(MOST_PLANNED),
  groups: z.array(PlannedGroup).max(MOST_PLANNED).nullish(),
});

/**
 * A plan for a goal.
 * @throws ThoughtTreeError `bad-answer` saying what cannot be carried out, in words for the model
 */
export function checkPlanned(text: string, goal: GoalData, earlier?: PlanFile): PlanFile {
  const { base_case, set_up, atoms, groups } = readAnswer(text, Planned);
  const { limits, corrections } = earlier ?? {};
  const plan = PlanFile.safeParse({
    ...goal,
    base_case,
    ...(set_up && { set_up }),
    atoms,
    groups: groups ?? [],
    ...(limits && { limits }),
    ...(corrections && { corrections }),
  });
  if (!plan.success)
    throw new ThoughtTreeError('bad-answer', wrongAnswer({ why: oneLine(z.prettifyError(plan.error), 800) }));
  try {
    checkPlan(plan.data);
    return plan.data;
  } catch (error) {
    if (!isThoughtTreeError(error)) throw error;
    throw new ThoughtTreeError('bad-answer', wrongPlanOfModel({ why: error.say }), { cause: error });
  }
}

const PARTS_TOKENS = 3000;

/** Splits an atom. Its own checks come with the last part, which waits for all others: what was asked of the whole is kept. */
async function decomposeAtom(ctx: SearchContext, task: AtomTask, signal: AbortSignal): Promise<readonly Part[]> {
  const own = task.fields.checks ?? [];
  const lines = new Set(commandsOf({ ...task.plan, base_case: [...task.plan.base_case, ...own] }));
  const words = () => ({
    prompt: decomposePrompt({ ...atomData(task), most: MOST_PARTS }),
    data: unruled(ctx),
    maxOutputTokens: PARTS_TOKENS,
    workplace: { rights: 'read' as const },
  });
  const check = (text: string) => checkParts(text, (line) => lines.has(line));
  const parts = await askAboutAtom(ctx, task, { purpose: 'decompose', words, check }, signal);
  return parts.map((part, i) => {
    if (i < parts.length - 1) return part;
    return {
      ...part,
      after: parts.slice(0, -1).map((_, before) => before),
      checks: [...part.checks, ...own].slice(-50),
    };
  });
}

/** The most parts of an atom. */
const MOST_PARTS = 8;

const AnsweredPart = z.looseObject({
  title: cutText(200),
  does: cutText(8000).nullish(),
  after: z.array(z.int().min(0)).max(100).nullish(),
  touches: z.array(FileGlob).max(100).nullish(),
  checks: z.array(CheckItem).max(20).nullish(),
});
const PartsAnswer = z.array(AnsweredPart).max(100);

/**
 * The parts of an atom. Only checks that run nothing new are kept: nobody consented to other commands.
 * @param isKnown whether a command line is one of those that the plan has
 * @throws ThoughtTreeError `bad-answer`
 */
export function checkParts(text: string, isKnown: (line: string) => boolean): Part[] {
  const answered = readAnswer(text, PartsAnswer);
  if (answered.length < 2 || answered.length > MOST_PARTS)
    throw new ThoughtTreeError('bad-answer', wrongParts({ most: MOST_PARTS }));
  const titles = new Set<string>();
  return answered.map(({ title: said, does, after, touches, checks }, i) => {
    const title = oneLine(said, 200) || `${i + 1}`;
    if (titles.has(title)) throw new ThoughtTreeError('bad-answer', sameName({ title }));
    titles.add(title);
    if ((after ?? []).some((place) => place >= i)) throw new ThoughtTreeError('bad-answer', wrongOrder({ part: i }));
    return {
      title,
      does: does ?? title,
      after: [...new Set(after ?? [])],
      ...(touches && { touches }),
      checks: (checks ?? []).filter((item) => isRunnable(item, isKnown)),
    };
  });
}

function isRunnable({ check, all_of, any_of }: CheckItem, isKnown: (line: string) => boolean): boolean {
  if (!check) return (all_of ?? any_of ?? []).every((part) => isRunnable(part, isKnown));
  if ('command' in check) return isKnown(check.command);
  return 'not_command' in check ? isKnown(check.not_command) : true;
}
