import { createAnthropic } from '@ai-sdk/anthropic';
import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import * as z from 'zod';
import type { Model, ModelRequest, Usage } from '../core/ports/model.ts';
import { isRecord } from '../core/text/loose-json.ts';
import { SomeTokens, Tokens } from './http/checked-usage.ts';
import { EVENTS, eventStream, guardedFetch } from './http/guarded-fetch.ts';
import { type EventReader, type Fields, withNumbers } from './http/lenient-events.ts';
import { sdkModel } from './http/sdk-model.ts';
import { type HttpModelOptions, readServer, readTimeout } from './http/server.ts';
import { contextLength } from './known-models.ts';

/**
 * A model by Anthropic, through the Messages API.
 *
 * @throws ThoughtTreeError `bad-input`: the base URL, the key or the time is missing or wrong.
 */
export function openAnthropicModel(modelName: string, options: HttpModelOptions): Model {
  const server = readServer(modelName, options);
  const provider = createAnthropic({
    baseURL: server.url,
    // An empty key, or the library would look for one itself.
    apiKey: server.apiKey ?? '',
    fetch: guardedFetch(server, { type: EVENTS, asStream, reader: messageEvents }),
  });
  return sdkModel({
    name: `anthropic/${modelName}`,
    server,
    timeoutMs: readTimeout(options.timeoutMs),
    chat: provider(modelName),
    usageOf,
    mark: markCache,
    takesSchemas: TAKES_SCHEMAS.test(modelName),
    // Otherwise the library would ask for a use of a tool instead.
    providerOptions: { anthropic: { structuredOutputMode: 'outputFormat' } },
    contextTokens: contextLength('anthropic', modelName),
    // A cache entry can be read once the answer to the request that wrote it begins.
    warmsCache: true,
  });
}

/** Models that hold answers to a schema. */
const TAKES_SCHEMAS = /^claude-(?:[a-z]+-4-[5-9]|[a-z]+-[5-9])(?!\d)/;

const WireUsage = z.object({
  input_tokens: Tokens,
  output_tokens: Tokens,
  cache_read_input_tokens: SomeTokens,
  cache_creation_input_tokens: SomeTokens,
});

/** Its `input_tokens` exclude tokens read from or written to the cache. */
function usageOf(raw: unknown): Usage | undefined {
  const { data } = WireUsage.safeParse(raw);
  if (!data) return undefined;
  const { cache_read_input_tokens: cached, cache_creation_input_tokens: written } = data;
  return { prompt: data.input_tokens + cached + written, cached, written, completion: data.output_tokens };
}

const KNOWN_BLOCKS = new Set<unknown>(['text', 'thinking', 'redacted_thinking', 'tool_use']);
const KNOWN_DELTAS = new Set<unknown>(['text_delta', 'thinking_delta', 'signature_delta', 'input_json_delta']);

/** Reads the events of a message. Clients have to pass over those of kinds that they do not know. */
function messageEvents(): EventReader {
  return {
    read(event) {
      const { type, content_block, delta } = event;
      if (type === 'message_start') return begun(event);
      if (type === 'content_block_start')
        return isRecord(content_block) && KNOWN_BLOCKS.has(content_block['type']) ? event : undefined;
      if (type === 'content_block_delta') return isRecord(delta) && KNOWN_DELTAS.has(delta['type']) ? event : undefined;
      if (type === 'message_delta') return ended(event);
      if (type === 'error') return failed(event);
      return type === 'content_block_stop' || type === 'message_stop' || type === 'ping' ? event : undefined;
    },
  };
}

function begun({ type, message }: Fields): object {
  const { id, usage } = isRecord(message) ? message : {};
  const told = withNumbers(usage);
  return {
    type,
    message: {
      id: String(id),
      role: 'assistant',
      content: [],
      usage: { input_tokens: 0, ...(isRecord(told) && told) },
    },
  };
}

function ended({ type, delta, usage }: Fields): object {
  const { stop_reason, stop_sequence } = isRecord(delta) ? delta : {};
  const told = withNumbers(usage);
  return {
    type,
    delta: { stop_reason: textOr(stop_reason), stop_sequence: textOr(stop_sequence) },
    usage: { output_tokens: 0, ...(isRecord(told) && told) },
  };
}

function textOr(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function failed({ type, error }: Fields): object {
  const { type: kind, message } = isRecord(error) ? error : { message: error };
  return { type, error: { type: String(kind ?? 'error'), message: String(message ?? '') } };
}

const Message = z.looseObject({
  type: z.literal('message'),
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  stop_reason: z.string().nullish(),
  stop_sequence: z.string().nullish(),
  usage: z.looseObject({ output_tokens: Tokens }),
});

/** Returns a complete message as the events of a stream. */
function asStream(body: unknown): string | undefined {
  const { data } = Message.safeParse(body);
  if (!data) return undefined;
  const { content, stop_reason, stop_sequence, usage, ...message } = data;
  const blocks = content.filter(({ type }) => type === 'text');
  return eventStream([
    { type: 'message_start', message: { ...message, content: [], usage } },
    ...blocks.flatMap(({ text }, index) => [
      { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index, delta: { type: 'text_delta', text: text ?? '' } },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: textOr(stop_reason), stop_sequence: textOr(stop_sequence) }, usage },
    { type: 'message_stop' },
  ]);
}

const MARK = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/**
 * Marks up to where Anthropic should cache a conversation: the system text, which every node sends; the fork point, which
 * siblings send; and the end, which the next request in this conversation and every child of the node sends. Three of
 * the four allowed marks; a request that no other one begins like has none at its end. If a marked prefix is too short
 * to be cached, the mark has no effect.
 */
function markCache(prompt: LanguageModelV4Prompt, request: ModelRequest): LanguageModelV4Prompt {
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
