import { noted } from '../../../core/messages/kept.ts';
import type { Message } from '../../../core/messages/message.ts';
import { type Conversation, type ConversationTurn, isAnswer } from '../../../core/search/conversation.ts';
import { ThoughtTreeError, toThoughtTreeError } from '../../../core/search/errors.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { notesFor, notesText } from '../../../engine/calls/notes.ts';
import type { Keep, Words } from '../../../engine/calls/question.ts';
import { namedFilesContext } from '../../../engine/grounding/workspace-context.ts';
import { consequenceOf } from '../../../engine/loop/consequence.ts';
import * as say from '../messages.ts';
import type { GenerateData } from '../prompts/prompt-data.ts';
import { generatePrompt } from '../prompts/prompts.ts';
import { generateMessage } from '../prompts/source-messages.ts';
import { contentKey, readThoughts } from '../prompts/thought-answers.ts';
import type { Thought } from '../prompts/thought-messages.ts';
import { thoughtAt } from '../thought-document.ts';
import { nextNumber, thoughtNumber } from '../thought-id.ts';
import type { ThoughtSearch } from '../thought-search.ts';

const MAX_OUTPUT_TOKENS = 4000;

/** One round at a node: its number, and where its answers are kept. */
export interface Round {
  readonly node: TreeNode;
  readonly session: string;
  /** From 1. */
  readonly number: number;
}

/** The result of a round: the thoughts in order, and the number of the first one. */
export interface Generated {
  readonly thoughts: readonly Thought[];
  readonly first: number;
}

/**
 * Asks for next thoughts at a node. Each answer is kept before it is used; those that an earlier run kept are not asked
 * for again. If there is no usable answer, fewer thoughts are asked for.
 * @throws ThoughtTreeError `GENERATION_FAILED` if there is no result, or the error that stops the search
 */
export async function generate(ctx: ThoughtSearch, round: Round, signal: AbortSignal): Promise<Generated> {
  const { settings } = ctx;
  const asked = settings.generation === 'sequential_proposal' ? 1 : settings.candidates;
  let conversation = (await ctx.store.readConversation(round.session)) ?? begun(round);
  const first = firstOf(conversation, round) ?? nextNumber(round.node);
  // The numbers show what a killed run has already placed of this round.
  const before = await contentsBelow(ctx, round.node, first);
  for (let nth = 0; nth < asked; nth++) {
    const drawn = thoughtsIn(conversation, round, settings.candidates).map(({ content }) => content);
    const wanted = asked === 1 ? settings.candidates : 1;
    const keep = { conversation, nth, isLike: isOf(round), marks: { round: round.number, first } };
    const kept = await askPersistently(ctx, round.node, keep, wanted, [...before, ...drawn], signal);
    if ('why' in kept) {
      if (thoughtsIn(conversation, round, settings.candidates).length > 0) break; // fewer of them, then
      throw new ThoughtTreeError('GENERATION_FAILED', kept.isAnswer ? say.noThoughts({ why: kept.why }) : kept.why);
    }
    conversation = kept.conversation;
  }
  const known = new Set(before.map(contentKey));
  const thoughts = thoughtsIn(conversation, round, settings.candidates);
  return { first, thoughts: thoughts.filter(({ content }) => !known.has(contentKey(content))) };
}

function begun({ session, node }: Round): Conversation {
  return { id: session, ...(node.parent && { title: node.title }), turns: [] };
}

/** As many as wanted, else half as many; tells why where even that fails for the model's sake, and whether an answer came. */
async function askPersistently(
  ctx: ThoughtSearch,
  node: TreeNode,
  keep: Keep,
  wanted: number,
  earlier: readonly string[],
  signal: AbortSignal,
): Promise<{ conversation: Conversation } | { why: Message; isAnswer: boolean }> {
  const fewer = Math.floor(wanted / 2);
  for (let count = wanted; ; count = fewer) {
    const words = (): Promise<Words> => wordsFor(ctx, node, count, earlier, signal);
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

async function wordsFor(
  ctx: ThoughtSearch,
  node: TreeNode,
  count: number,
  earlier: readonly string[],
  signal: AbortSignal,
): Promise<Words> {
  const { settings } = ctx;
  const data: GenerateData = {
    purpose: 'generate',
    question: ctx.file.prompt,
    message: await generateMessage(ctx, node, count, earlier),
    wording: settings.task?.wording?.generate ?? '',
    notes: notesText(await notesFor(ctx, node.parent ? node : undefined)),
  };
  const found = await namedFilesContext(ctx, data.message.payload.context.path, signal);
  const prompt = [generatePrompt(data), ...(found === '' ? [] : [found])].join('\n\n');
  return { prompt, data, maxOutputTokens: MAX_OUTPUT_TOKENS };
}

async function contentsBelow(ctx: ThoughtSearch, node: TreeNode, first: number): Promise<string[]> {
  const before = node.children.filter(({ slug }) => thoughtNumber(slug) < first);
  return (await Promise.all(before.map((child) => thoughtAt(ctx, child)))).map(({ content }) => content);
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

/** The thoughts of a round, without repetitions, in order. */
function thoughtsIn(conversation: Conversation, round: Round, most: number): Thought[] {
  const seen = new Set<string>();
  const thoughts = answersIn(conversation, round).flatMap(({ text }) => readThoughts(text, most));
  return thoughts.filter(({ content }) => {
    const key = contentKey(content);
    return !seen.has(key) && seen.add(key);
  });
}
