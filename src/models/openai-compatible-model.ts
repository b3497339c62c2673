import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import * as z from 'zod';
import type { Model } from '../core/ports/model.ts';
import { askServer } from './ask-server.ts';
import { chatEvents } from './http/chat-events.ts';
import type { ToldUsage } from './http/checked-usage.ts';
import { EVENTS, eventStream, guardedFetch } from './http/guarded-fetch.ts';
import { sdkModel } from './http/sdk-model.ts';
import { type HttpModelOptions, type Refused, readServer, readTimeout, type Server } from './http/server.ts';
import { SomeTokens, Tokens } from './http/tokens.ts';
import { takesEffort, thinkingOf } from './thinking.ts';

/**
 * A model behind any server that supports `/v1/chat/completions`, streamed with usage.
 *
 * @throws ThoughtTreeError `bad-input`: the base URL, the key or the time is missing or wrong.
 */
export async function openOpenAICompatibleModel(modelName: string, options: HttpModelOptions): Promise<Model> {
  const given = readServer(modelName, options);
  const { url, contextTokens, takesSchemas } = await askServer(given, modelName);
  const refused = new Set<Refused>();
  const otherwise = (part: Refused, sent: string): boolean => {
    const isUsual = sent.includes(USUAL[part]);
    if (isUsual) refused.add(part);
    return isUsual;
  };
  const server: Server = { ...given, url, otherwise };
  const provider = createOpenAICompatible({
    name: 'openai-compatible',
    baseURL: server.url,
    ...(server.apiKey === undefined ? {} : { apiKey: server.apiKey }),
    includeUsage: true,
    supportsStructuredOutputs: true,
    transformRequestBody: (body) => bodyWithout(body, refused),
    fetch: guardedFetch(server, { type: EVENTS, asStream, reader: chatEvents }),
  });
  return sdkModel({
    name: `openai-compatible/${modelName}`,
    server,
    timeoutMs: readTimeout(options.timeoutMs),
    chat: provider.chatModel(modelName),
    usageOf,
    thinking: thinkingOf(modelName),
    lowEffort: takesEffort(modelName) ? { reasoning: 'low' } : undefined,
    contextTokens,
    takesSchemas,
  });
}

/** The beginnings in a request of the parts that some servers refuse. */
const USUAL: Readonly<Record<Refused, string>> = { max_tokens: '"max_tokens":', system: '"role":"system"' };

const Sent = z.looseObject({
  max_tokens: z.number().optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
});

/** A request as a server takes it that refused a part of it: the limit has another name, the first turn the system's words. */
function bodyWithout(body: object, refused: ReadonlySet<Refused>): Record<string, unknown> {
  const { max_tokens, messages, ...rest } = Sent.parse(body);
  const name = refused.has('max_tokens') ? 'max_completion_tokens' : 'max_tokens';
  return {
    ...rest,
    ...(max_tokens !== undefined && { [name]: max_tokens }),
    messages: refused.has('system') ? withoutSystem(messages) : messages,
  };
}

function withoutSystem(messages: z.infer<typeof Sent>['messages']): object[] {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  const others = messages.filter(({ role }) => role !== 'system');
  const [first, ...next] = others;
  if (!first || system.length === 0) return others;
  return [{ ...first, content: [...system, first.content].join('\n\n') }, ...next];
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
 * Returns an answer's cost in US dollars. Gateways that pass on requests with a person's own key for another provider
 * say their fee as the cost, and separately what the other provider takes; with a key of theirs, that is in the cost.
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
