import * as z from 'zod';

/** The longest result of one use, in UTF-16 code units, whatever tool it comes from. */
export const MAX_TOOL_RESULT = 16_000;

/** Something a model may use while it answers. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of what it takes; an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** One use of a tool that a model asks for; `input` is what the model wrote, unchecked. */
export const ToolCall = z.object({
  /** The provider's own, or ours where it has none; names the result. */
  id: z.string().max(200),
  name: z.string().max(200),
  input: z.unknown(),
  /** What its provider wants back with it, as it came. */
  provider: z.record(z.string(), z.unknown()).optional(),
});
export type ToolCall = z.infer<typeof ToolCall>;

/** What came of one use. A refusal is a result as well: it says in words why, so that the model can do otherwise. */
export const ToolResult = z.object({
  id: z.string().max(200),
  name: z.string().max(200),
  text: z.string(),
  isRefused: z.boolean().optional(),
});
export type ToolResult = z.infer<typeof ToolResult>;

/** Carries out what a model asks for. Never throws for what the model wrote. */
export interface Toolbox {
  readonly tools: readonly Tool[];
  use(call: ToolCall, signal: AbortSignal): Promise<ToolUse>;
}

/** One use: what the model gets, and for the journal what was read, in a line. */
export interface ToolUse {
  readonly text: string;
  readonly isRefused: boolean;
  /** As in `src/a.ts:1-40`; empty where nothing was. */
  readonly what: string;
}
