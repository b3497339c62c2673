import { noted } from '../../../core/messages/kept.ts';
import type { Message } from '../../../core/messages/message.ts';
import { type Conversation, type ConversationTurn, isAnswer } from '../../../core/search/conversation.ts';
import { ThoughtTreeError, toThoughtTreeError } from '../../../core/search/errors.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { notesFor, notesText } from '../../../engine/calls/notes.ts';
import type { Keep, Words } from '../../../engine/calls/question.ts';
import { namedFilesContext } from '../../../engine/grounding/workspace-context.ts';
import { consequenceOf } from '../../../engine/loop/consequence.ts';
import { slotsToPlan } from '../../../engine/slots-to-plan.ts';
import { besideAt, besideOf, judgedPath } from '../judge/standing.ts';
import * as say from '../messages.ts';
import type { BesideData, GenerateData, SourceData } from '../prompts/prompt-data.ts';
import { generatePrompt } from '../prompts/prompts.ts';
import { generateMessage, planData } from '../prompts/source-messages.ts';
import { contentKey, readThoughts } from '../prompts/thought-answers.ts';
import type { Thought } from '../prompts/thought-messages.ts';
import { drawSession, nextNumber, thoughtNumber } from '../thought-id.ts';
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
}

/**
 * Asks for next thoughts at a node: all in one answer, or each drawn without seeing the others, and then one more answer for
 * what was said twice. Each answer is kept before it is used; those that an earlier run kept are not asked for again. If
 * there is no usable answer, fewer thoughts are asked for.
 * @throws ThoughtTreeError `GENERATION_FAILED` if there is no result, or the error that stops the search
 */
export async function generate(ctx: ThoughtSearch, round: Round, signal: AbortSignal): Promise<Generated> {
  const { generation } = ctx.settings;
  const candidates = round.isWhole ? 1 : ctx.settings.candidates;
  let main = (await ctx.store.readConversation(round.session)) ?? begun(round, round.session);
  const kept = generation === 'independent_sampling' && !round.isWhole ? await keptDraws(ctx, round) : [];
  const first = [main, ...kept].flatMap((each) => firstOf(each, round) ?? [])[0] ?? nextNumber(round.node);
  // The numbers show what a killed run has already placed of this round.
  const before = await proposedBefore(ctx, round.node, first);
  // Searches from before drew one after the other, in one conversation.
  const isBegunAnotherWay =
    answersIn(main, round).length > 0 && kept.every((each) => answersIn(each, round).length === 0);
  const draws = isBegunAnotherWay ? [] : await drawAll(ctx, { round, first, before }, kept, signal);
  const said = draws.flatMap((draw) => ('conversation' in draw ? thoughtsIn(draw.conversation, round, 1) : []));
  const drawn = eachOnce(said);
  const isShort = draws.length === 0 || drawn.length < said.length || draws.some((draw) => 'why' in draw);
  const wanted = candidates - drawn.length;
  if (isShort && wanted > 0) {
    const earlier = [...before, ...drawn.map((thought) => ({ thought, objections: [] }))];
    const keep = { conversation: main, isLike: isOf(round), marks: { round: round.number, first } };
    const more = await askPersistently(ctx, round, keep, { count: wanted, earlier }, signal);
    if ('conversation' in more) main = more.conversation;
    else if (drawn.length === 0)
      throw new ThoughtTreeError('GENERATION_FAILED', more.isAnswer ? say.noThoughts({ why: more.why }) : more.why);
  }
  const known = new Set(before.map(({ thought }) => contentKey(thought.content)));
  const all = eachOnce([...drawn, ...thoughtsIn(main, round, candidates)]);
  return { first, thoughts: all.filter(({ content }) => !known.has(contentKey(content))).slice(0, candidates) };
}

/** The parts that all answers of a round have in common. */
interface Drawing {
  readonly round: Round;
  readonly first: number;
  readonly before: readonly BesideData[];
}

type Kept = { readonly conversation: Conversation };
type Failed = { readonly why: Message; readonly isAnswer: boolean };

/** The conversations of a round's draws; each has its own, as none sees another. */
function keptDraws(ctx: ThoughtSearch, round: Round): Promise<Conversation[]> {
  const ids = Array.from({ length: ctx.settings.candidates }, (_, nth) =>
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
  { round, first, before }: Drawing,
  kept: readonly Conversation[],
  signal: AbortSignal,
): Promise<(Kept | Failed)[]> {
  ctx.draws.concurrency = Math.max(1, slotsToPlan(ctx));
  const settled = await Promise.allSettled(
    kept.map((conversation, draw) =>
      ctx.draws(() => {
        const keep = { conversation, isLike: isOf(round), marks: { round: round.number, first } };
        return askPersistently(ctx, round, keep, { count: 1, earlier: before, draw }, signal);
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
  /** The thoughts that it is to be made of. */
  readonly sources?: readonly SourceData[];
}

/** As many as wanted, else half as many; tells why where even that fails for the model's sake, and whether an answer came. */
async function askPersistently(
  ctx: ThoughtSearch,
  { node, isWhole = false }: Round,
  keep: Keep,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Kept | Failed> {
  const fewer = Math.floor(wanted.count / 2);
  for (let { count } = wanted; ; count = fewer) {
    const words = (): Promise<Words> => wordsFor(ctx, node, { ...wanted, count, isWhole }, signal);
    const check = (text: string): Thought[] => readThoughts(text, count);
    try {
      return await ctx.asks.ask({ purpose: 'generate', node, words, check, keep }, signal);
    } catch (error) {
      if (consequenceOf(error) !== 'fail') throw error;
      const { reason, say: why } = toThoughtTreeError(error);
      if (count === fewer || fewer === 0) return { why, isAnswer: reason === 'bad-answer' };
      ctx.history.note({ type: 'progress', ...noted(say.fewerCandidates({ candidates: fewer })) });
    }
  }
}

/** The words that ask for thoughts below a node. */
export async function wordsFor(
  ctx: ThoughtSearch,
  node: TreeNode,
  { count, earlier, draw = 0, isWhole = false, sources = [] }: Wanted,
  signal: AbortSignal,
): Promise<Words> {
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

async function proposedBefore(ctx: ThoughtSearch, node: TreeNode, first: number): Promise<BesideData[]> {
  const before = node.children.filter(({ slug }) => thoughtNumber(slug) < first);
  return await Promise.all(before.map((child) => besideAt(ctx, child)));
}

function isOf({ number }: Round): (answer: ConversationTurn) => boolean {
  return ({ round }) => round === number;
}

function answersIn(conversation: Conversation, round: Round): ConversationTurn[] {
  return conversation.turns.filter((turn) => turn.purpose === 'generate' && isAnswer(turn) && isOf(round)(turn));
}

function firstOf(conversation: Conversation, round: Round): number | undefined {
  return answersIn(conversation, round)[0]?.first;
}

/** The thoughts of a round, in order. */
function thoughtsIn(conversation: Conversation, round: Round, most: number): Thought[] {
  return answersIn(conversation, round).flatMap(({ text }) => readThoughts(text, most));
}

function eachOnce(thoughts: readonly Thought[]): Thought[] {
  const seen = new Set<string>();
  return thoughts.filter(({ content }) => {
    const key = contentKey(content);
    return !seen.has(key) && seen.add(key);
  });
}
