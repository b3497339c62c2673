import { createOpenAI } from '@ai-sdk/openai';
import * as z from 'zod';
import type { Model } from '../core/ports/model.ts';
import { SomeTokens, Tokens, type ToldUsage } from './http/checked-usage.ts';
import { EVENTS, eventStream, guardedFetch } from './http/guarded-fetch.ts';
import { countingEvents } from './http/lenient-events.ts';
import { sdkModel } from './http/sdk-model.ts';
import { type HttpModelOptions, readServer, readTimeout } from './http/server.ts';
import { contextLength, takesEffort, thinkingOf } from './known-models.ts';

/**
 * A model by OpenAI, through the Responses API: some models are only available there, and all others too;
 * `openai-compatible/…` is for servers that only support chat completions. Nothing is stored on the server: every request
 * contains its whole conversation.
 *
 * @throws ThoughtTreeError `bad-input`: the base URL, the key or the time is missing or wrong.
 */
export function openOpenAIModel(modelName: string, options: HttpModelOptions): Model {
  const server = readServer(modelName, options);
  const provider = createOpenAI({
    baseURL: server.url,
    // An empty key, or the library would look for one itself.
    apiKey: server.apiKey ?? '',
    fetch: guardedFetch(server, { type: EVENTS, asStream, reader: () => countingEvents('response', 'usage') }),
  });
  return sdkModel({
    name: `openai/${modelName}`,
    server,
    timeoutMs: readTimeout(options.timeoutMs),
    chat: provider.responses(modelName),
    usageOf,
    providerOptions: { openai: { store: false } },
    thinking: thinkingOf(modelName),
    // Without a summary, which not every account may have.
    lowEffort: takesEffort(modelName)
      ? { reasoning: 'low', providerOptions: { openai: { store: false, reasoningSummary: null } } }
      : undefined,
    takesSchemas: true,
    contextTokens: contextLength('openai', modelName),
  });
}

const WireUsage = z.object({
  input_tokens: Tokens,
  output_tokens: Tokens,
  total_tokens: Tokens.nullish().catch(undefined),
  output_tokens_details: z.object({ reasoning_tokens: SomeTokens }).nullish().catch(undefined),
  input_tokens_details: z
    .object({ cached_tokens: SomeTokens, cache_write_tokens: SomeTokens })
    .nullish()
    .catch(undefined),
});

function usageOf(raw: unknown): ToldUsage | undefined {
  const { data } = WireUsage.safeParse(raw);
  if (!data) return undefined;
  const prompt = data.input_tokens;
  const cached = Math.min(data.input_tokens_details?.cached_tokens ?? 0, prompt);
  // Reported by the models that charge for it.
  const written = Math.min(data.input_tokens_details?.cache_write_tokens ?? 0, prompt - cached);
  const reasoning = data.output_tokens_details?.reasoning_tokens ?? 0;
  return {
    prompt,
    cached,
    ...(written > 0 ? { written } : {}),
    completion: data.output_tokens,
    ...(reasoning > 0 ? { reasoning } : {}),
    ...(typeof data.total_tokens === 'number' ? { total: data.total_tokens } : {}),
  };
}

const Part = z.looseObject({ type: z.string(), text: z.string().optional(), refusal: z.string().optional() });
const Response = z.looseObject({
  object: z.literal('response'),
  status: z.enum(['completed', 'incomplete']),
  output: z.array(z.looseObject({ type: z.string(), id: z.string().optional(), content: z.array(Part).optional() })),
});

/** Returns a complete response as the events of a stream. */
function asStream(body: unknown): string | undefined {
  const { data } = Response.safeParse(body);
  if (!data) return undefined;
  const messages = data.output.filter(({ type }) => type === 'message');
  const events = messages.flatMap((message, output_index) => {
    const item_id = message.id ?? `message-${output_index}`;
    const item = { type: 'message', id: item_id, role: 'assistant', content: [] };
    return [
      { type: 'response.output_item.added', output_index, item },
      ...(message.content ?? []).map(({ text, refusal }, content_index) =>
        refusal === undefined
          ? { type: 'response.output_text.delta', item_id, output_index, content_index, delta: text ?? '' }
          : { type: 'response.refusal.done', item_id, output_index, content_index, refusal },
      ),
      { type: 'response.output_item.done', output_index, item },
    ];
  });
  return eventStream([...events, { type: `response.${data.status}`, response: data }]);
}
