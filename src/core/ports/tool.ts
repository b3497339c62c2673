import * as z from 'zod';

/** The longest result of one use, in UTF-16 code units, for every tool. */
export const MAX_TOOL_RESULT = 16_000;

/** Something a model may use while it answers. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of its arguments; an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** One use of a tool that a model asks for; `input` is what the model wrote, unchecked. */
export const ToolCall = z.object({
  /** The provider's own, or ours if it has none; identifies the result. */
  id: z.string().max(200),
  name: z.string().max(200),
  input: z.unknown(),
  /** Data that its provider expects to get back with it, verbatim. */
  provider: z.record(z.string(), z.unknown()).optional(),
});
export type ToolCall = z.infer<typeof ToolCall>;

/** The result of one use. A refusal is a result as well: it says why in words, so that the model can do otherwise. */
export const ToolResult = z.object({
  id: z.string().max(200),
  name: z.string().max(200),
  text: z.string(),
  isRefused: z.boolean().optional(),
});
export type ToolResult = z.infer<typeof ToolResult>;

/** Carries out what a model asks for. Never throws because of the model's input. */
export interface Toolbox {
  readonly tools: readonly Tool[];
  use(call: ToolCall, signal: AbortSignal): Promise<ToolUse>;
  /** Removes what it made; called when the search is closed. */
  close?(): Promise<void>;
}

/** One use: what the model gets and, for the journal, what was read, in one line. */
export interface ToolUse {
  readonly text: string;
  readonly isRefused: boolean;
  /** As in `src/a.ts:1-40`; empty if nothing was read. */
  readonly what: string;
}

/** A turn, as far as tools are concerned. */
interface Uses {
  readonly toolCalls?: readonly ToolCall[] | undefined;
  readonly toolResults?: readonly ToolResult[] | undefined;
}

/** The turns without uses of tools: questions and their answers. For models without tools, and to save space. */
export function withoutToolTurns<T extends Uses>(turns: readonly T[]): T[] {
  return turns.filter(({ toolCalls, toolResults }) => !toolCalls && !toolResults);
}

/** Returns a turn as text for people, including uses of tools and their results. */
export function wordsOf({ text, toolCalls, toolResults }: Uses & { readonly text: string }): string {
  const calls = (toolCalls ?? []).map(({ name, input }) => `[uses ${name} ${JSON.stringify(input)}]`);
  const results = (toolResults ?? []).map(({ name, text: result }) => `[${name} gave]\n${result}`);
  return [text, ...calls, ...results].filter((part) => part !== '').join('\n');
}
