import { createHash } from 'node:crypto';
import * as z from 'zod';
import { MEANWHILE, type ModelRequest, type Turn, WORKSPACE, withoutVarying } from '../../core/ports/model.ts';
import { ToolCall, ToolResult } from '../../core/ports/tool.ts';
import { UsageRecord } from '../../core/search/events.ts';
import { LeafReason } from '../../core/tree/node-file.ts';

/** The version of recordings that this program writes, and the newest it can read. */
export const RECORDING_VERSION = 1;
/**
 * The version of the words in which models are asked. It changes with any prompt, system text or correction: a recording of
 * other words holds no answer to what is asked now.
 */
export const PROMPT_WORDS = 8;

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
  /** What it says of what, each by the hash of a name; missing where only the words tell, and in older recordings. */
  says: z
    .array(z.object({ about: hash, said: hash }))
    .max(1000)
    .optional(),
  finish: z.enum(['stop', 'length', 'refused', 'tools', 'other']),
  toolCalls: toolCalls.optional(),
  usage: UsageRecord.optional(),
  leafReason: LeafReason.optional(),
});

/** One line of a recording. */
export const RecordingLine = z.discriminatedUnion('type', [Head, RecordedModel, RecordedText, RecordedAnswer]);
export type RecordingLine = z.infer<typeof RecordingLine>;

/** The parts that distinguish one request from another: its words, their purpose, and the results of tools. */
export type Words = Pick<ModelRequest, 'purpose' | 'system' | 'turns' | 'prompt' | 'toolResults' | 'toolsAreOver'>;

/**
 * The name of a request in a recording. Node, ids, dates and the maximum length of the answer are not part of it, so that
 * the same words find their answer in another search, under another strategy, on another day; nor is what the workspace is
 * just now, or what other branches have found by then.
 */
export function requestKey({ purpose, system, turns, prompt, toolResults, toolsAreOver = false }: Words): string {
  const said = turns.map(({ role, text, ...tools }) => [role, lasting(text), callsOf(tools), resultsOf(tools)]);
  const rules = withoutVarying(system, WORKSPACE);
  return hashOf(JSON.stringify([purpose, rules, said, lasting(prompt), resultsOf({ toolResults }), toolsAreOver]));
}

const lasting = (text: string): string => withoutVarying(text, MEANWHILE);

// The ids of uses are different every time.
function callsOf({ toolCalls = [] }: Pick<Turn, 'toolCalls'>): unknown {
  return toolCalls.map(({ name, input }) => [name, input]);
}

function resultsOf({ toolResults = [] }: { toolResults?: Turn['toolResults'] | undefined }): unknown {
  return toolResults.map(({ name, text }) => [name, text]);
}

/** Returns a hash short enough to read, long enough to distinguish texts: 128 bits. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
