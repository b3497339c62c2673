import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { ModelRequest } from '../core/ports/model.ts';

const MARK = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/**
 * Marks up to where Anthropic should cache a conversation: the system text, which every node sends; the fork point, which
 * siblings send; and the end, which the next request in this conversation and every child of the node sends. Three of
 * the four allowed marks; a request that no other one begins like has none at its end. If a marked prefix is too short
 * to be cached, the mark has no effect.
 */
export function markCache(prompt: LanguageModelV4Prompt, request: ModelRequest): LanguageModelV4Prompt {
  const system = request.system === '' ? 0 : 1;
  const marked = new Set<number>();
  if (system > 0) marked.add(0);
  const shared = Math.min(request.shared ?? 0, request.turns.length);
  if (shared > 0) marked.add(system + shared - 1);
  if (!request.isLast) marked.add(prompt.length - 1);
  return prompt.map(
    (message, index): LanguageModelV4Message => (marked.has(index) ? { ...message, providerOptions: MARK } : message),
  );
}
