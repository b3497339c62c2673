import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { ModelRequest, Turn } from '../../core/ports/model.ts';
import type { ToolCall } from '../../core/ports/tool.ts';

/** The part of an answer's line with the uses of tools that the model asks for. They have no ids. */
export const WireToolCalls = z
  .array(z.object({ function: z.object({ name: z.string(), arguments: z.unknown() }) }))
  .optional()
  .catch(undefined);

/** With unique ids of ours: another provider may continue the conversation, and identifies uses by them. */
export function toolCallsOf(calls: z.infer<typeof WireToolCalls>): ToolCall[] {
  return (calls ?? []).map(({ function: { name, arguments: input } }) => ({
    id: `call_${randomUUID()}`,
    name: name.slice(0, 200),
    input: input ?? {},
  }));
}

/** The messages of a request: one for each turn, and one for each result of a tool. */
export function chatMessages({ system, turns, prompt, toolResults }: ModelRequest): object[] {
  const last: Turn = { role: 'user', text: prompt, ...(toolResults ? { toolResults } : {}) };
  const said = [...turns, last].flatMap(messagesOf);
  return system === '' ? said : [{ role: 'system', content: system }, ...said];
}

function messagesOf({ role, text, toolCalls, toolResults }: Turn): object[] {
  if (toolResults) return toolResults.map((result) => ({ role: 'tool', tool_name: result.name, content: result.text }));
  if (!toolCalls) return [{ role, content: text }];
  const tool_calls = toolCalls.map(({ name, input }) => ({ function: { name, arguments: input } }));
  return [{ role, content: text, tool_calls }];
}

/** The tools of a request; none if they were used enough, since the server has no option for that. */
export function chatTools({ tools, toolsAreOver }: ModelRequest): { tools?: object[] } {
  if (!tools || toolsAreOver) return {};
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    })),
  };
}
