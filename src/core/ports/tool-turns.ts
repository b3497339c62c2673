import type { ToolCall, ToolResult } from './tool.ts';

/** A turn, as far as tools are concerned. */
interface Uses {
  readonly toolCalls?: readonly ToolCall[] | undefined;
  readonly toolResults?: readonly ToolResult[] | undefined;
}

/** The turns without uses of tools: questions and their answers. For models without tools, and to save space. */
export function withoutToolTurns<T extends Uses>(turns: readonly T[]): T[] {
  return turns.filter(({ toolCalls, toolResults }) => !toolCalls && !toolResults);
}

/** A turn as text for people, including uses of tools and their results. */
export function wordsOf({ text, toolCalls, toolResults }: Uses & { readonly text: string }): string {
  const calls = (toolCalls ?? []).map(({ name, input }) => `[uses ${name} ${JSON.stringify(input)}]`);
  const results = (toolResults ?? []).map(({ name, text: result }) => `[${name} gave]\n${result}`);
  return [text, ...calls, ...results].filter((part) => part !== '').join('\n');
}
