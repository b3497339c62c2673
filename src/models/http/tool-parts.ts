import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolCall,
} from '@ai-sdk/provider';
import type { ModelRequest, Turn } from '../../core/ports/model.ts';
import type { ToolCall } from '../../core/ports/tool.ts';
import { parsed } from './read-body.ts';

/**
 * Providers that get their own data on a tool call back: Gemini refuses its calls without the signature of the thoughts
 * behind them. What others add refers to things stored on their servers, and nothing is stored there.
 */
const SENT_BACK = ['google'];

/** The messages of a request, one for each turn and one for the prompt. */
export function messagesOf({ system, turns, prompt, toolResults }: ModelRequest): LanguageModelV4Prompt {
  const last: Turn = { role: 'user', text: prompt, ...(toolResults ? { toolResults } : {}) };
  return [...(system === '' ? [] : [{ role: 'system' as const, content: system }]), ...[...turns, last].map(messageOf)];
}

function messageOf({ role, text, toolCalls, toolResults }: Turn): LanguageModelV4Message {
  const said = { type: 'text' as const, text };
  if (toolResults)
    return {
      role: 'tool',
      content: toolResults.map(({ id, name, text: value }) => ({
        type: 'tool-result',
        toolCallId: id,
        toolName: name,
        output: { type: 'text', value },
      })),
    };
  if (toolCalls) return { role: 'assistant', content: [...(text === '' ? [] : [said]), ...toolCalls.map(callPart)] };
  return { role, content: [said] };
}

function callPart({ id, name, input, provider }: ToolCall) {
  return {
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input,
    ...(provider ? { providerOptions: provider as NonNullable<LanguageModelV4CallOptions['providerOptions']> } : {}),
  };
}

/** The tools of a request, in the library's form. */
export function toolOptions({
  tools,
  toolsAreOver,
}: ModelRequest): Pick<LanguageModelV4CallOptions, 'tools' | 'toolChoice'> {
  if (!tools || tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function',
      name,
      description,
      inputSchema: parameters,
    })),
    // Named nevertheless: providers refuse conversations with calls of undeclared tools.
    toolChoice: { type: toolsAreOver ? 'none' : 'auto' },
  };
}

/** One use that a model asks for. If its input is not JSON, the tool refuses it. */
export function toolCallOf({ toolCallId, toolName, input, providerMetadata }: LanguageModelV4ToolCall): ToolCall {
  const kept = Object.entries(providerMetadata ?? {}).filter(([name]) => SENT_BACK.includes(name));
  return {
    id: toolCallId.slice(0, 200),
    name: toolName.slice(0, 200),
    input: input.trim() === '' ? {} : (parsed(input) ?? input),
    ...(kept.length > 0 ? { provider: Object.fromEntries(kept) } : {}),
  };
}
