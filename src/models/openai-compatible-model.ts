import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import * as z from 'zod';
import type { Model } from '../core/ports/model.ts';
import type { ToldUsage } from './http/checked-usage.ts';
import { EVENTS, eventStream, guardedFetch } from './http/guarded-fetch.ts';
import { sdkModel } from './http/sdk-model.ts';
import { type HttpModelOptions, readServer, readTimeout } from './http/server.ts';
import { SomeTokens, Tokens } from './http/tokens.ts';
import { takesEffort, thinkingOf } from './thinking.ts';

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
    thinking: thinkingOf(modelName),
    lowEffort: takesEffort(modelName) ? { reasoning: 'low' } : undefined,
  });
}

const Cost = z.number().nonnegative().nullish().catch(undefined);
const WireUsage = z.object({
  prompt_tokens: Tokens,
  completion_tokens: Tokens,
  total_tokens: Tokens.nullish().catch(undefined),
  prompt_tokens_details: z.object({ cached_tokens: SomeTokens }).nullish().catch(undefined),
  completion_tokens_details: z.object({ reasoning_tokens: SomeTokens }).nullish().catch(undefined),
  cost: Cost,
  is_byok: z.boolean().nullish().catch(undefined),
  cost_details: z.object({ upstream_inference_cost: Cost }).nullish().catch(undefined),
});

function usageOf(raw: unknown): ToldUsage | undefined {
  const { data } = WireUsage.safeParse(raw);
  if (!data) return undefined;
  const usd = costIn(data);
  const reasoning = data.completion_tokens_details?.reasoning_tokens ?? 0;
  return {
    prompt: data.prompt_tokens,
    cached: Math.min(data.prompt_tokens_details?.cached_tokens ?? 0, data.prompt_tokens),
    completion: data.completion_tokens,
    ...(reasoning > 0 ? { reasoning } : {}),
    ...(typeof data.total_tokens === 'number' ? { total: data.total_tokens } : {}),
    ...(usd === undefined ? {} : { usd }),
  };
}

/**
 * What an answer cost, in US dollars. Gateways that pass on requests with a person's own key for another provider say
 * their fee as the cost, and what the other provider takes separately; with a key of theirs, that is in the cost.
 */
function costIn({ cost, cost_details, is_byok }: z.infer<typeof WireUsage>): number | undefined {
  const upstream = cost_details?.upstream_inference_cost ?? undefined;
  if (typeof cost !== 'number') return upstream;
  if (upstream === undefined) return cost;
  return is_byok === false ? Math.max(cost, upstream) : cost + upstream;
}

const Completion = z.looseObject({ choices: z.array(z.looseObject({ message: z.unknown() })) });

function asStream(body: unknown): string | undefined {
  const { data } = Completion.safeParse(body);
  if (!data) return undefined;
  return eventStream([{ ...data, choices: data.choices.map((choice) => ({ ...choice, delta: choice.message })) }]);
}
