import { because, type Message, noted, type Said } from '../../../core/messages/message.ts';
import { type Conversation, type ConversationTurn, isAnswer, turnOf } from '../../../core/search/conversation.ts';
import { ThoughtTreeError, toThoughtTreeError } from '../../../core/search/errors.ts';
import type { LeafReason, PrunedBy } from '../../../core/tree/node-file.ts';
import { pathOf, type TreeNode } from '../../../core/tree/tree.ts';
import { slotsToPlan } from '../../../engine/context.ts';
import { consequenceOf } from '../../../engine/loop.ts';
import type { Keep, Prompt } from '../../../engine/question.ts';
import { namedFilesContext } from '../../../engine-parts/citations/workspace-context.ts';
import { notesFor, notesText } from '../../../engine-parts/transcripts/conversations.ts';
import * as say from '../messages.ts';
import { hookFailed, repeatsThought } from '../messages.ts';
import { chooseModel, ModelAnswers } from '../model-choice.ts';
import { draftPrompt } from '../prompts/draft-prompts.ts';
import { type BesideData, type GenerateData, generatePrompt, mendPrompt, type SourceData } from '../prompts/prompts.ts';
import { contentKey, type Draft, readDraft, readThoughts } from '../prompts/thought-answers.ts';
import {
  besideAt,
  besideOf,
  defectsToMend,
  draftData,
  generateMessage,
  judgedPath,
  planData,
} from '../prompts/thought-data.ts';
import type { Thought } from '../prompts/thought-messages.ts';
import type { Task, ThoughtPath, Verdict } from '../tasks/task.ts';
import { isThoughts } from '../thought-document.ts';
import { drawSession, nextNumber, thoughtNumber } from '../thought-node.ts';
import type { ThoughtSearch } from '../thought-search.ts';

const MAX_OUTPUT_TOKENS = 4000;
const WHOLE_OUTPUT_TOKENS = 8000;
const PLAIN_FIELDS = { content: 'string', action_type: 'string' } as const;
const FIELDS = { title: 'string', ...PLAIN_FIELDS, leads_to: 'string' } as const;

/** One round at a node: its number, and where its answers are kept. */
export interface Round {
  readonly node: TreeNode;
  readonly session: string;
  /** From 1. */
  readonly number: number;
  /** The rest of a whole solution is wanted, in one thought. */
  readonly isWhole?: boolean;
}

/** The result of a round: the thoughts in order, and the number of the first one. */
export interface Generated {
  readonly thoughts: readonly Thought[];
  readonly first: number;
  /** Where each of them was said. */
  readonly origins: ReadonlyMap<Thought, Origin>;
}

/** The conversation in which a thought was said, and by which of several models. */
interface Origin {
  readonly conversation: string;
  readonly by: string | undefined;
}

/** A thought that a check refused, and the words of the check. */
export interface Refused {
  readonly thought: Thought;
  readonly why: string;
}

/**
 * Asks for next thoughts at a node, as `generateBy` does: of several models the one that is worth most. One that makes none, or
 * may spend no more, leaves the round to another.
 */
export async function generate(ctx: ThoughtSearch, round: Round, signal: AbortSignal): Promise<Generated> {
  const { models, settings, history } = ctx;
  for (;;) {
    // The journal tells these, so that a search that was killed goes on with the same model.
    const passed = history.past.part(ModelAnswers)?.passedIn(pathOf(round.node), round.number) ?? [];
    const tried = new Set(passed.filter((each) => models.some(({ name }) => name === each)));
    const by = (await keptBy(ctx, round, tried)) ?? chooseModel(ctx, round.node, round.number, tried);
    try {
      return await generateBy(ctx, round, by, signal);
    } catch (error) {
      const { reason, say: why, details } = toThoughtTreeError(error);
      const isOfModel = reason === 'GENERATION_FAILED' || (reason === 'budget' && details.model === by);
      if (by === undefined || !isOfModel) throw error;
      const isLast = tried.size + 1 >= models.length;
      const most = reason === 'budget' ? settings.models.find(({ name }) => name === by)?.most : undefined;
      const without = { node: pathOf(round.node), round: round.number, models: isLast ? [] : [...tried, by] };
      const spent = most === undefined ? {} : { spent: { model: by, most } };
      await history.record({ type: 'models-passed', ...without, ...spent }, true);
      if (isLast) throw error;
      history.note({ type: 'progress', ...noted(say.nextModel({ model: by, why }), 300) });
    }
  }
}

/** Returns the one of several models that gave the kept answers of a round: it also continues the round. */
async function keptBy(ctx: ThoughtSearch, round: Round, tried: ReadonlySet<string>): Promise<string | undefined> {
  if (ctx.models.length === 0) return undefined;
  const main = await ctx.store.readConversation(round.session);
  const kept = [...(await keptDraws(ctx, round)), ...(main ? [main] : [])];
  const by = kept.flatMap((each) => answersIn(each, round)).find((answer) => answer.by !== undefined)?.by;
  return by !== undefined && !tried.has(by) && ctx.models.some(({ name }) => name === by) ? by : undefined;
}

/**
 * Asks for next thoughts at a node: all in one answer, or each drawn without seeing the others, and then one more answer for
 * what was said twice. Each answer is kept before it is used; those that an earlier run kept are not asked for again. If
 * there is no usable answer, fewer thoughts are asked for.
 * @throws ThoughtTreeError `GENERATION_FAILED` if there is no result, or the error that stops the search
 */
async function generateBy(
  ctx: ThoughtSearch,
  round: Round,
  by: string | undefined,
  signal: AbortSignal,
): Promise<Generated> {
  const origins = new Map<Thought, Origin>();
  const { generation, writesDrafts } = ctx.settings;
  const candidates = candidatesAt(ctx, round);
  let main = (await ctx.store.readConversation(round.session)) ?? begun(round, round.session);
  const isDrawn = writesDrafts || (generation === 'independent_sampling' && !round.isWhole);
  const kept = isDrawn ? await keptDraws(ctx, round) : [];
  const first = [main, ...kept].flatMap((each) => firstOf(each, round) ?? [])[0] ?? nextNumber(round.node);
  // The numbers show what a killed run has already placed of this round.
  const before = await proposedBefore(ctx, round.node, first);
  // Searches from before drew one after the other, in one conversation.
  const isBegunAnotherWay =
    answersIn(main, round).length > 0 && kept.every((each) => answersIn(each, round).length === 0);
  const draws = isBegunAnotherWay ? [] : await drawAll(ctx, { round, first, before, by }, kept, signal);
  const said = draws.flatMap((draw) =>
    'conversation' in draw ? thoughtsIn(ctx, draw.conversation, round, 1, origins) : [],
  );
  const drawn = eachOnce(said);
  const isShort = draws.length === 0 || drawn.length < said.length || draws.some((draw) => 'why' in draw);
  const wanted = candidates - drawn.length;
  const failed = draws.find((draw) => 'why' in draw);
  // Each draft has a call of its own: fewer will do.
  if (writesDrafts && drawn.length === 0 && failed) throw noneMade(failed);
  if (isShort && wanted > 0 && !writesDrafts) {
    const earlier = [...before, ...drawn.map((thought) => ({ thought, objections: [] }))];
    const keep = { conversation: main, isLike: isOf(round), marks: { round: round.number, first } };
    const more = await askPersistently(ctx, round, keep, { count: wanted, earlier, by }, signal);
    if ('conversation' in more) main = more.conversation;
    else if (drawn.length === 0) throw noneMade(more);
  }
  const known = new Set(before.map(({ thought }) => contentKey(thought.content)));
  const all = eachOnce([...drawn, ...thoughtsIn(ctx, main, round, candidates, origins)]);
  return {
    first,
    origins,
    thoughts: all.filter(({ content }) => !known.has(contentKey(content))).slice(0, candidates),
  };
}

function noneMade({ why, isAnswer }: Failed): ThoughtTreeError {
  return new ThoughtTreeError('GENERATION_FAILED', isAnswer ? say.noThoughts({ why }) : why);
}

/** Returns how many thoughts a round asks for: of drafts several first ones, and one wherever it goes on. */
function candidatesAt({ settings }: ThoughtSearch, { node, number, isWhole }: Round): number {
  const isOne = isWhole || (settings.writesDrafts && (node.parent !== undefined || number > 1));
  return isOne ? 1 : settings.candidates;
}

/** The parts that all answers of a round have in common. */
interface Drawing {
  readonly round: Round;
  readonly first: number;
  readonly before: readonly BesideData[];
  readonly by: string | undefined;
}

type Kept = { readonly conversation: Conversation };
type Failed = { readonly why: Message; readonly isAnswer: boolean };

/** Returns the conversations of a round's draws; each has its own, as none sees another. */
function keptDraws(ctx: ThoughtSearch, round: Round): Promise<Conversation[]> {
  const ids = Array.from({ length: candidatesAt(ctx, round) }, (_, nth) =>
    drawSession(round.session, round.number, nth),
  );
  return Promise.all(ids.map(async (id) => (await ctx.store.readConversation(id)) ?? begun(round, id)));
}

/**
 * Draws thoughts at the same time, as many as the search has slots.
 * @throws the first error that stops the search, once no draw is under way any more
 */
async function drawAll(
  ctx: ThoughtSearch,
  { round, first, before, by }: Drawing,
  kept: readonly Conversation[],
  signal: AbortSignal,
): Promise<(Kept | Failed)[]> {
  ctx.draws.concurrency = Math.max(1, slotsToPlan(ctx));
  const settled = await Promise.allSettled(
    kept.map((conversation, draw) =>
      ctx.draws(() => {
        const keep = { conversation, isLike: isOf(round), marks: { round: round.number, first } };
        return askPersistently(ctx, round, keep, { count: 1, earlier: before, draw, by }, signal);
      }),
    ),
  );
  const stopped = settled.find((each) => each.status === 'rejected');
  if (stopped) throw stopped.reason;
  return settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
}

function begun({ node }: Round, id: string): Conversation {
  return { id, ...(node.parent && { title: node.title }), turns: [] };
}

/** A request for thoughts: their number, and those that none may be like. */
interface Wanted {
  readonly count: number;
  readonly earlier: readonly BesideData[];
  /** Which of several independent draws it is, from 0. */
  readonly draw?: number;
  readonly isWhole?: boolean;
  /** Which of several models is asked. */
  readonly by?: string | undefined;
  /** The thoughts that it is to be made of. */
  readonly sources?: readonly SourceData[];
}

/**
 * Returns as many as wanted, else half as many; tells why where even that fails for the model's sake, and whether an
 * answer came.
 */
async function askPersistently(
  ctx: ThoughtSearch,
  { node, number, isWhole = false }: Round,
  keep: Keep,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Kept | Failed> {
  const fewer = Math.floor(wanted.count / 2);
  const { writesDrafts } = ctx.settings;
  for (let { count } = wanted; ; count = fewer) {
    const words = (): Promise<Prompt> =>
      writesDrafts
        ? draftWords(ctx, node, drawNumber(ctx, node, number, wanted.draw ?? 0), signal)
        : wordsFor(ctx, node, { ...wanted, count, isWhole }, signal);
    const check = (text: string): Thought[] => (writesDrafts ? [readDraft(text)] : readThoughts(text, count));
    const purpose = writesDrafts ? 'write-draft' : 'generate';
    try {
      return await ctx.asks.ask({ purpose, by: wanted.by, node, words, check, keep }, signal);
    } catch (error) {
      if (consequenceOf(error) !== 'fail') throw error;
      const { reason, say: why } = toThoughtTreeError(error);
      if (count === fewer || fewer === 0) return { why, isAnswer: reason === 'bad-answer' };
      ctx.history.note({ type: 'progress', ...noted(say.fewerCandidates({ candidates: fewer })) });
    }
  }
}

/** Returns which of all drafts that are made at a node one is, from 0. */
function drawNumber({ settings }: ThoughtSearch, node: TreeNode, round: number, draw: number): number {
  if (round === 1) return draw;
  return (node.parent ? 1 : settings.candidates) + round - 2;
}

/** Returns the words that ask for a draft below a node: a first one, or that of the node again. */
async function draftWords(ctx: ThoughtSearch, node: TreeNode, draw: number, signal: AbortSignal): Promise<Prompt> {
  const data = await draftData(ctx, node, draw);
  const found = await namedFilesContext(ctx, data.draft === undefined ? [] : [data.draft], signal);
  const prompt = [draftPrompt(data), ...(found === '' ? [] : [found])].join('\n\n');
  return { prompt, data, maxOutputTokens: WHOLE_OUTPUT_TOKENS };
}

/** Returns the words that ask for thoughts below a node. */
export async function wordsFor(
  ctx: ThoughtSearch,
  node: TreeNode,
  { count, earlier, draw = 0, isWhole = false, sources = [] }: Wanted,
  signal: AbortSignal,
): Promise<Prompt> {
  const wording = ctx.settings.task?.wording?.generate ?? '';
  const path = await judgedPath(ctx, node);
  const contents = earlier.map(({ thought }) => thought.content);
  const data: GenerateData = {
    purpose: 'generate',
    question: ctx.file.prompt,
    message: await generateMessage(ctx, node, count, path, contents),
    plan: await planData(ctx),
    path,
    // A task knows what a good step is: what was passed over tells nothing more.
    beside: wording === '' && node.parent && sources.length === 0 ? await besideOf(ctx, node) : [],
    earlier,
    isWhole,
    sources,
    draw,
    wording,
    notes: notesText(await notesFor(ctx, node.parent ? node : undefined)),
  };
  const named = [
    ...data.message.payload.context.path,
    ...sources.flatMap(({ steps }) => steps.map(({ content }) => content)),
  ];
  const found = await namedFilesContext(ctx, named, signal);
  const prompt = [generatePrompt(data), ...(found === '' ? [] : [found])].join('\n\n');
  const list = wording === '' ? FIELDS : PLAIN_FIELDS;
  return { prompt, data, list, maxOutputTokens: isWhole ? WHOLE_OUTPUT_TOKENS : MAX_OUTPUT_TOKENS };
}

/**
 * Gives thoughts that a check refused back with its words, each in the conversation where it was said; none comes back where a
 * model has no answer. Answers are kept like those before them.
 * @param nth which time it is in this round, from 1
 */
export async function mendThoughts(
  ctx: ThoughtSearch,
  round: Round,
  { first, origins, thoughts }: Generated,
  refused: readonly Refused[],
  nth: number,
  signal: AbortSignal,
): Promise<Generated> {
  const found = new Map<Thought, Origin>();
  const earlier = [
    ...(await proposedBefore(ctx, round.node, first)),
    ...thoughts.map((thought) => ({ thought, objections: [] })),
  ];
  const groups = Map.groupBy(refused, ({ thought }) => origins.get(thought)?.conversation ?? round.session);
  for (const [id, group] of groups) {
    const by = group.flatMap(({ thought }) => origins.get(thought)?.by ?? [])[0];
    const conversation = (await ctx.store.readConversation(id)) ?? begun(round, id);
    const { length: count } = group;
    const words = async (before: Conversation): Promise<Prompt> => {
      const { isWhole = false } = round;
      const { data, ...rest } = await wordsFor(ctx, round.node, { count, earlier, isWhole }, signal);
      const refusals = group.map(({ thought, why }) => ({ content: thought.content, why }));
      const prompt = mendPrompt(refusals, ctx.settings.task?.wording?.generate ?? '');
      const turns = before.turns.map(turnOf);
      return { ...rest, data: Object.assign(data, { refusals }), prompt, turns, after: [] };
    };
    const isLike = (turn: ConversationTurn): boolean => turn.round === round.number && turn.repair === nth;
    const keep = { conversation, isLike, marks: { round: round.number, first, repair: nth } };
    const check = (text: string): Thought[] => readThoughts(text, count);
    try {
      const { value } = await ctx.asks.ask({ purpose: 'generate', by, node: round.node, words, check, keep }, signal);
      for (const thought of value) found.set(thought, { conversation: id, by });
    } catch (error) {
      if (consequenceOf(error) !== 'fail') throw error;
    }
  }
  const known = new Set(earlier.map(({ thought }) => contentKey(thought.content)));
  const fresh = eachOnce([...found.keys()]).filter(({ content }) => !known.has(contentKey(content)));
  return { first, origins: found, thoughts: fresh };
}

async function proposedBefore(ctx: ThoughtSearch, node: TreeNode, first: number): Promise<BesideData[]> {
  const before = node.children.filter(({ slug }) => thoughtNumber(slug) < first);
  return await Promise.all(before.map((child) => besideAt(ctx, child)));
}

function isOf({ number }: Round): (answer: ConversationTurn) => boolean {
  return ({ round, repair }) => round === number && repair === undefined;
}

function answersIn(conversation: Conversation, round: Round): ConversationTurn[] {
  return conversation.turns.filter((turn) => isThoughts(turn) && isAnswer(turn) && isOf(round)(turn));
}

function firstOf(conversation: Conversation, round: Round): number | undefined {
  return answersIn(conversation, round)[0]?.first;
}

/** Returns the thoughts of a round, in order. */
function thoughtsIn(
  { settings }: ThoughtSearch,
  conversation: Conversation,
  round: Round,
  most: number,
  origins: Map<Thought, Origin>,
): (Thought | Draft)[] {
  return answersIn(conversation, round).flatMap(({ text, by }) => {
    const thoughts = settings.writesDrafts ? [readDraft(text, defectsToMend(round.node))] : readThoughts(text, most);
    for (const thought of thoughts) origins.set(thought, { conversation: conversation.id, by });
    return thoughts;
  });
}

function eachOnce(thoughts: readonly Thought[]): Thought[] {
  const seen = new Set<string>();
  return thoughts.filter(({ content }) => {
    const key = contentKey(content);
    return !seen.has(key) && seen.add(key);
  });
}

/** The result of checking a new thought, before any model judged it. */
export interface CheckedThought {
  readonly status: 'unexpanded' | 'pruned' | 'leaf';
  readonly prunedBy?: PrunedBy;
  readonly leafReason?: LeafReason;
  readonly why?: string;
  /** The reason as data, where it is ours to say. */
  readonly whySay?: Said;
  readonly state?: string;
  /** The account that a draft gives of the defects of the one above it. */
  readonly own?: Pick<Draft, 'mended' | 'open'>;
  /** Which of several models made it. */
  readonly model?: string;
}

const LONGEST_STATE = 1000;

/**
 * Checks a new thought with the task's knowledge: repetitions of thoughts above it and wrong steps are pruned, solutions
 * are recognized. Only verified thoughts get a state, so that a wrong claim never replaces a right one.
 * @param above the thoughts from the first level down to its parent
 */
export async function checkThought(
  ctx: ThoughtSearch,
  above: readonly Thought[],
  thought: Thought,
  signal: AbortSignal,
): Promise<CheckedThought> {
  return (await checkedWithWords(ctx, above, thought, signal)).fields;
}

/** A checked thought, and the words of the check that refused it, for whoever may mend it. */
interface ToldCheck {
  readonly fields: CheckedThought;
  readonly refusal?: string;
}

/** Checks a new thought as `checkThought` does, and keeps the words of the check. */
export async function checkedWithWords(
  ctx: ThoughtSearch,
  above: readonly Thought[],
  thought: Thought,
  signal: AbortSignal,
): Promise<ToldCheck> {
  const { settings, start } = ctx;
  const { task } = settings;
  const key = contentKey(thought.content);
  if ([start, ...above.map(({ content }) => content)].some((content) => contentKey(content) === key))
    return { fields: { status: 'pruned', prunedBy: 'constraint', ...because(repeatsThought()) } };
  if (!task) return { fields: { status: 'unexpanded' } };
  const path: ThoughtPath = { problem: ctx.file.prompt, thoughts: [...above, thought] };
  const verdict = await runHook(ctx, 'verify', async () => task.verify?.(path, signal));
  if (verdict?.ok === false)
    return { fields: { status: 'pruned', prunedBy: 'verifier', why: inOneLine(verdict.why) }, refusal: verdict.why };
  if (task.verify && !verdict) return { fields: { status: 'unexpanded' } };
  return await checkedByTask(ctx, task, path, verdict?.ok === true, signal);
}

async function checkedByTask(
  ctx: ThoughtSearch,
  task: Task,
  path: ThoughtPath,
  isVerified: boolean,
  signal: AbortSignal,
): Promise<ToldCheck> {
  const state = isVerified ? await runHook(ctx, 'state', async () => task.state?.(path)) : undefined;
  const known = state !== undefined && state !== '' && state.length <= LONGEST_STATE ? { state } : {};
  const said = await runHook(ctx, 'solved', async () => task.solved?.(path, signal));
  const solved = typeof said === 'object' ? said.ok : said;
  if (solved) return { fields: { status: 'leaf', leafReason: 'solved', ...known } };
  // A path's end, and not a solution: a judge's opinion of it would change nothing.
  if (solved === false && path.thoughts.length >= ctx.limits.now.maxDepth)
    return { fields: { status: 'leaf', leafReason: 'depth-limit', ...known }, ...refusalIn(ctx, said) };
  return { fields: { status: 'unexpanded', ...known } };
}

/** A check may print what is in the workspace: it is told to no model that may see nothing of that. */
function refusalIn({ quotesContext }: ThoughtSearch, said: boolean | Verdict | undefined): Pick<ToldCheck, 'refusal'> {
  return typeof said === 'object' && !said.ok && quotesContext ? { refusal: said.why } : {};
}

function inOneLine(why: string): string {
  return why.replace(/\s+/g, ' ').slice(0, 500);
}

/** A hook that throws counts as missing, and the search says so. */
async function runHook<T>(
  ctx: ThoughtSearch,
  name: string,
  call: () => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    const { reason, say: why } = toThoughtTreeError(error);
    if (reason === 'aborted') throw error;
    ctx.history.note({ type: 'progress', ...noted(hookFailed({ hook: name, why }), 200) });
    return undefined;
  }
}
