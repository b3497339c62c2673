import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import * as z from 'zod';
import type { Model, Usage } from '../core/ports/model.ts';
import { EVENTS, eventStream, guardedFetch } from './http/guarded-fetch.ts';
import { sdkModel } from './http/sdk-model.ts';
import { type HttpModelOptions, readServer, readTimeout } from './http/server.ts';
import { SomeTokens, Tokens } from './http/tokens.ts';

/**
 * A model behind any server that supports `/v1/chat/completions`, streamed with usage.
 *
 * @throws ThoughtTreeError `bad-input`: the base URL, the key or the time is missing or wrong.
 */
export function openOpenAICompatibleModel(modelName: string, options: HttpModelOptions): Model {
  const server = readServer(modelName, options);
  const provider = createOpenAICompatible({
    name: 'openai-compatible',
    baseURL: server.url,
    ...(server.apiKey === undefined ? {} : { apiKey: server.apiKey }),
    includeUsage: true,
    fetch: guardedFetch(server, { type: EVENTS, asStream }),
  });
  return sdkModel({
    name: `openai-compatible/${modelName}`,
    server,
    timeoutMs: readTimeout(options.timeoutMs),
    chat: provider.chatModel(modelName),
    usageOf,
  });
}

const WireUsage = z.object({
  prompt_tokens: Tokens,
  completion_tokens: Tokens,
  prompt_tokens_details: z.object({ cached_tokens: SomeTokens }).optional().catch(undefined),
  cost: z.number().nonnegative().optional().catch(undefined),
});

function usageOf(raw: unknown): Usage | undefined {
  const { data } = WireUsage.safeParse(raw);
  if (!data) return undefined;
  return {
    prompt: data.prompt_tokens,
    cached: Math.min(data.prompt_tokens_details?.cached_tokens ?? 0, data.prompt_tokens),
    completion: data.completion_tokens,
    ...(data.cost === undefined ? {} : { usd: data.cost }),
  };
}

const Completion = z.looseObject({ choices: z.array(z.looseObject({ message: z.unknown() })) });

function asStream(body: unknown): string | undefined {
  const { data } = Completion.safeParse(body);
  if (!data) return undefined;
  return eventStream([{ ...data, choices: data.choices.map((choice) => ({ ...choice, delta: choice.message })) }]);
}
