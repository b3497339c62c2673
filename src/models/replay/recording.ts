import * as z from 'zod';
import { ToolCall, ToolResult } from '../../core/ports/tool.ts';
import { UsageRecord } from '../../core/search/events.ts';
import { LeafReason } from '../../core/tree/node-status.ts';

/** The version of recordings that this program writes, and the newest it can read. */
export const RECORDING_VERSION = 1;
/**
 * The version of the words in which models are asked. It changes with any prompt, system text or correction: a recording of
 * other words holds no answer to what is asked now.
 */
export const PROMPT_WORDS = 5;

const hash = z.string().regex(/^[0-9a-f]{32}$/);
const name = z.string().max(300);

/** The first line. */
const Head = z.object({
  type: z.literal('recording'),
  version: z.number().int().positive(),
  /** The version of the words that the models were asked in; 1 where it is missing. */
  words: z.number().int().positive().optional(),
});

/** A model whose answers follow. */
const RecordedModel = z.object({
  type: z.literal('model'),
  name,
  prose: z.boolean().optional(),
  tools: z.boolean().optional(),
  contextTokens: z.number().int().positive().optional(),
});

/** A text that calls refer to by its hash, so that what every call repeats is written once. */
const RecordedText = z.object({ type: z.literal('text'), id: hash, text: z.string().max(16_000_000) });

const toolResults = z.array(ToolResult).max(1000);
const toolCalls = z.array(ToolCall).max(1000);

const RecordedTurn = z.object({
  role: z.enum(['user', 'assistant']),
  text: hash,
  toolCalls: toolCalls.optional(),
  toolResults: toolResults.optional(),
});
export type RecordedTurn = z.infer<typeof RecordedTurn>;

/** One request and its answer. */
const RecordedAnswer = z.object({
  type: z.literal('call'),
  /** The request's name, for people: computed again from the texts when read, so that a recording cannot lie about it. */
  key: hash,
  model: name,
  purpose: z.string().max(60),
  /** For people; not part of the request's name. */
  node: z.string().max(4000),
  system: hash,
  turns: z.array(RecordedTurn).max(10_000),
  prompt: hash,
  toolResults: toolResults.optional(),
  toolsAreOver: z.boolean().optional(),
  answer: hash,
  finish: z.enum(['stop', 'length', 'refused', 'tools', 'other']),
  toolCalls: toolCalls.optional(),
  usage: UsageRecord.optional(),
  leafReason: LeafReason.optional(),
});

/** One line of a recording. */
export const RecordingLine = z.discriminatedUnion('type', [Head, RecordedModel, RecordedText, RecordedAnswer]);
export type RecordingLine = z.infer<typeof RecordingLine>;
