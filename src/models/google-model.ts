import { createGoogle } from '@ai-sdk/google';
import * as z from 'zod';
import type { Model } from '../core/ports/model.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import { jsonOrNothing } from '../core/text/loose-json.ts';
import { SomeTokens, Tokens, type ToldUsage } from './http/checked-usage.ts';
import { endedEarly } from './http/failures.ts';
import { EVENTS, eventStream, guardedFetch } from './http/guarded-fetch.ts';
import { countingEvents } from './http/lenient-events.ts';
import { sdkModel } from './http/sdk-model.ts';
import { type HttpModelOptions, readServer, readTimeout, type Server } from './http/server.ts';
import { contextLength, takesEffort, thinkingOf } from './known-models.ts';
import { googleName, secondRequest } from './messages.ts';

/**
 * A model by Google, through the Gemini API.
 *
 * @throws ThoughtTreeError `bad-input`: the base URL, the key, the time or the name is missing or wrong.
 */
export function openGoogleModel(modelName: string, options: HttpModelOptions): Model {
  // It becomes part of the address.
  if (!/^[\w.-]+(\/[\w.-]+)*$/.test(modelName) || /(^|\/)\.+(\/|$)/.test(modelName))
    throw new ThoughtTreeError('bad-input', googleName());
  const server = readServer(modelName, options);
  const provider = createGoogle({
    baseURL: server.url,
    // An empty key, or the library would look for one itself.
    apiKey: server.apiKey ?? '',
    fetch: onceOnly(
      server,
      guardedFetch(server, { type: EVENTS, asStream, reader: () => countingEvents('usageMetadata') }),
    ),
  });
  return sdkModel({
    name: `google/${modelName}`,
    server,
    timeoutMs: readTimeout(options.timeoutMs),
    chat: provider(modelName),
    usageOf,
    thinking: thinkingOf(modelName),
    lowEffort: lowEffortOf(modelName),
    contextTokens: contextLength('google', modelName),
  });
}

/** The second family takes a number of tokens, later ones a word. */
function lowEffortOf(model: string): Parameters<typeof sdkModel>[0]['lowEffort'] {
  if (!takesEffort(model)) return undefined;
  if (!model.startsWith('gemini-2')) return { reasoning: 'low' };
  return { providerOptions: { google: { thinkingConfig: { thinkingBudget: FEW_THOUGHTS } } } };
}

/** Tokens of reasoning where little effort is asked for. */
const FEW_THOUGHTS = 2048;

/**
 * The library continues by itself if the server asks for it, with a request that the budget would not know
 * about.
 */
function onceOnly(server: Server, send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const body = typeof init?.body === 'string' ? jsonOrNothing(init.body) : undefined;
    if (typeof body === 'object' && body !== null && 'continuationToken' in body)
      throw endedEarly(server, secondRequest());
    return await send(input, init);
  };
}

const WireUsage = z.object({
  promptTokenCount: Tokens,
  cachedContentTokenCount: SomeTokens,
  toolUsePromptTokenCount: SomeTokens,
  candidatesTokenCount: SomeTokens,
  thoughtsTokenCount: SomeTokens,
  totalTokenCount: Tokens.nullish().catch(undefined),
});

function usageOf(raw: unknown): ToldUsage | undefined {
  const { data } = WireUsage.safeParse(raw);
  if (!data) return undefined;
  const prompt = data.promptTokenCount + data.toolUsePromptTokenCount;
  const completion = data.candidatesTokenCount + data.thoughtsTokenCount;
  const total = data.totalTokenCount;
  return {
    prompt,
    cached: Math.min(data.cachedContentTokenCount, prompt),
    completion,
    ...(typeof total === 'number' ? { total } : {}),
  };
}

const Chunk = z.looseObject({ candidates: z.array(z.unknown()).optional(), promptFeedback: z.unknown().optional() });

/** Returns a complete response, or the list of chunks from a server that does not support `alt=sse`. */
function asStream(body: unknown): string | undefined {
  const { data } = z
    .array(Chunk)
    .min(1)
    .safeParse(Array.isArray(body) ? body : [body]);
  const answers = data?.some(({ candidates, promptFeedback }) => candidates ?? promptFeedback);
  return data && answers ? eventStream(data) : undefined;
}
