import * as z from 'zod';
import type { Turn } from '../ports/model.ts';
import { ToolCall, ToolResult } from '../ports/tool.ts';
import { LeafReason } from '../tree/node-file.ts';

const QuotedLines = z.object({ path: z.string(), from: z.number().int(), to: z.number().int() });

const ConversationTurn = z.object({
  role: z.enum(['user', 'assistant']),
  text: z.string(),
  /** The purpose of the exchange: a request's, or `edited` for a text that a person edited. */
  purpose: z.string(),
  /** The model's reason for an empty list, given in addition to its text. */
  leafReason: LeafReason.optional(),
  /** The agent's session that contains everything up to here. */
  session: z.string().max(200).optional(),
  /** Of an answer or a use of tools: the call that produced it. */
  call: z.string().optional(),
  /** Of an answer, where several models share the work: the one that gave it. */
  by: z.string().max(300).optional(),
  /** Of a question: the ids of the notes that it contains. */
  notes: z.array(z.string()).optional(),
  /** Of a question: the lines of files that it quotes, and whether it says how to cite. */
  quoted: z.array(QuotedLines).optional(),
  citing: z.boolean().optional(),
  /** Uses of tools before the answer, and their results. */
  toolCalls: z.array(ToolCall).optional(),
  toolResults: z.array(ToolResult).optional(),
  /** Which round at a node it belongs to, from 1, and the number of the first thought it may create. */
  round: z.number().int().optional(),
  first: z.number().int().optional(),
  /** Which time it mends what a check refused in that round, from 1. */
  repair: z.number().int().optional(),
  /** The slug paths that a judgement is about, in its order; it applies to no others. */
  about: z.array(z.string()).optional(),
  /** The number of times that each of those had been judged before. */
  before: z.array(z.number().int().nonnegative()).optional(),
  /** It was judged by simpler criteria than requested. */
  simpler: z.boolean().optional(),
});

/** The turns exchanged with a model for one node only; what came before is in its parent's conversation. */
export const Conversation = z.object({
  id: z.string().regex(/^[\w-]{1,100}$/),
  parentId: z.string().optional(),
  /** The title of the node that it is about. */
  title: z.string().optional(),
  turns: z.array(ConversationTurn),
});
export type Conversation = z.infer<typeof Conversation>;

export type ConversationTurn = z.infer<typeof ConversationTurn>;

/** Returns the last answer given for a purpose, if the conversation holds one. */
export function answerFor(conversation: Conversation, purpose: string): ConversationTurn | undefined {
  return conversation.turns.findLast((turn) => isAnswer(turn) && turn.purpose === purpose);
}

/** Tells whether a turn of the model is an answer rather than a request for tools. */
export function isAnswer({ role, toolCalls }: Pick<ConversationTurn, 'role' | 'toolCalls'>): boolean {
  return role === 'assistant' && !toolCalls;
}

/** Returns a turn as sent to models. */
export function turnOf({ role, text, session, toolCalls, toolResults }: ConversationTurn): Turn {
  return {
    role,
    text,
    ...(session === undefined ? {} : { session }),
    ...(toolCalls ? { toolCalls } : {}),
    ...(toolResults ? { toolResults } : {}),
  };
}

/** Returns the agent's session that contains the most of a conversation. */
export function sessionOf({ turns }: Conversation): string | undefined {
  return turns.findLast(({ session }) => session !== undefined)?.session;
}

/** A question as kept in a conversation: its text and what is recorded with it. */
export type AskedTurn = Pick<ConversationTurn, 'text' | 'notes' | 'quoted' | 'citing'>;

/** The marks that are recorded with an answer. */
export type AnswerMarks = {
  readonly [K in keyof Omit<ConversationTurn, 'role' | 'text' | 'purpose'>]?: ConversationTurn[K] | undefined;
};

/** A use of tools on the way to an answer, or its result. */
export type Round = Turn & { readonly call?: string };

/** Returns a conversation with one more exchange at its end. */
export function withExchange(
  conversation: Conversation,
  purpose: string,
  asked: string | AskedTurn,
  answer: string,
  marks: AnswerMarks = {},
  rounds: readonly Round[] = [],
): Conversation {
  const before = withRounds(conversation, purpose, asked, rounds);
  const noted = Object.fromEntries(Object.entries(marks).filter(([, mark]) => mark !== undefined));
  return { ...before, turns: [...before.turns, { role: 'assistant', text: answer, purpose, ...noted }] };
}

/** Returns a conversation with an unanswered question at its end, and what was paid for so far. */
export function withRounds(
  conversation: Conversation,
  purpose: string,
  asked: string | AskedTurn,
  rounds: readonly Round[],
): Conversation {
  const used = rounds.map(({ toolCalls, toolResults, ...turn }) => ({
    ...turn,
    purpose,
    ...(toolCalls ? { toolCalls: [...toolCalls] } : {}),
    ...(toolResults ? { toolResults: [...toolResults] } : {}),
  }));
  const { text, ...noted } = typeof asked === 'string' ? { text: asked } : asked;
  const question = { role: 'user' as const, text, purpose, ...noted };
  return { ...conversation, turns: [...conversation.turns, question, ...used] };
}

/** An unanswered question at the end of a conversation. */
export interface OpenQuestion {
  readonly before: Conversation;
  readonly purpose: string;
  readonly asked: AskedTurn;
  readonly rounds: readonly Round[];
}

/** The question that a process left open when it ended; undefined if all are answered. */
export function openQuestion(conversation: Conversation): OpenQuestion | undefined {
  const { turns } = conversation;
  const last = turns.at(-1);
  if (!last || isAnswer(last)) return undefined;
  const start = turns.findLastIndex(({ role, toolResults }) => role === 'user' && !toolResults);
  const question = turns[start];
  if (!question) return undefined;
  const { role: _, purpose, ...asked } = question;
  const before = { ...conversation, turns: turns.slice(0, start) };
  const rounds = turns.slice(start + 1).map((turn) => ({ ...turnOf(turn), ...(turn.call ? { call: turn.call } : {}) }));
  return { before, purpose, asked, rounds };
}

/** Returns a conversation without the open question, if there is one. */
export function withoutOpenQuestion(conversation: Conversation): Conversation {
  return openQuestion(conversation)?.before ?? conversation;
}

const TurnOfCall = z.object({ role: z.enum(['user', 'assistant']), text: z.string() });

/**
 * The request and the answer of one call that is in no conversation: picks, the report's opening, wrong answers and
 * corrected ones.
 */
export const RecordedCall = z.object({
  id: z.string().regex(/^[\w-]{1,100}$/),
  system: z.string(),
  turns: z.array(TurnOfCall),
  prompt: z.string(),
  answer: z.string(),
  /** The agent's session that contains everything up to the answer. */
  session: z.string().max(200).optional(),
});
export type RecordedCall = z.infer<typeof RecordedCall>;
