import { randomUUID } from 'node:crypto';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import * as z from 'zod';
import type { Model } from '../core/ports/model.ts';
import { isRecord } from '../core/text/loose-json.ts';
import { askJson } from './http/call.ts';
import { SomeTokens, Tokens, type ToldUsage } from './http/checked-usage.ts';
import { EVENTS, eventStream, guardedFetch } from './http/guarded-fetch.ts';
import { type EventReader, type Fields, withNumbers } from './http/lenient-events.ts';
import { sdkModel } from './http/sdk-model.ts';
import { type HttpModelOptions, type Refused, readServer, readTimeout, type Server } from './http/server.ts';
import { takesEffort, thinkingOf } from './known-models.ts';
import { type ListedModel, OPENAI } from './listings.ts';

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

/**
 * Returns a request as a server takes it that refused a part of it: the limit has another name, the first turn the
 * system's words.
 */
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

const ASKING_MS = 2000;
/** Servers that hold answers to a schema: by their hosts, and by whom their lists name as the owner of their models. */
const SCHEMA_HOSTS = new Set(['api.openai.com']);
const SCHEMA_SERVERS = new Set(['vllm', 'llamacpp', 'sglang']);

/** The facts that a server states about itself before it is asked anything. */
interface AskedServer {
  /** Its base URL: the given one, or the one below it where the list of its models is. */
  readonly url: string;
  /** The longest prompt plus answer of the model, in tokens, if it says so. */
  readonly contextTokens: number | undefined;
  /** True if it is known to hold answers to a schema. */
  readonly takesSchemas: boolean;
}

/**
 * Asks a compatible server for its models: how much the model holds, and whether its address lacks the usual `/v1`. Never
 * throws: whatever is wrong, the first request will report it better.
 */
async function askServer(server: Server, model: string): Promise<AskedServer> {
  const { url } = server;
  for (const at of url.endsWith('/v1') ? [url] : [url, `${url}/v1`]) {
    const models = await modelsAt({ ...server, url: at });
    if (!models) continue;
    const listed = models.find(({ id }) => id === model) ?? (models.length === 1 ? models[0] : undefined);
    const takesSchemas = SCHEMA_HOSTS.has(new URL(at).hostname) || SCHEMA_SERVERS.has(listed?.owner ?? '');
    return { url: at, contextTokens: listed?.contextTokens ?? (await sizeAt(server)), takesSchemas };
  }
  return { url, contextTokens: undefined, takesSchemas: false };
}

async function modelsAt(server: Server): Promise<ListedModel[] | undefined> {
  return OPENAI.read(await jsonAt(server, OPENAI.path));
}

const ServerProps = z.object({ default_generation_settings: z.object({ n_ctx: z.int().positive() }) });

/** Asks a llama.cpp server how many tokens it holds; it says so beside the compatible endpoints. */
async function sizeAt(server: Server): Promise<number | undefined> {
  const said = await jsonAt({ ...server, url: server.url.replace(/\/v1$/, '') }, '/props');
  return ServerProps.safeParse(said).data?.default_generation_settings.n_ctx;
}

async function jsonAt(server: Server, path: string): Promise<unknown> {
  const question = { path, headers: OPENAI.headers(server.apiKey), timeoutMs: ASKING_MS };
  return await askJson(server, question).catch(() => undefined);
}

/** Reads the events of chat completions, of whichever server: what is known of each is given on, and nothing else. */
function chatEvents(): EventReader {
  let hasSaid = false;
  let hasEnded = false;
  let usage: unknown;
  /** True if usage came by itself, as it does behind the last piece. */
  let isCounted = false;
  const calls = new CallPieces();
  return {
    read(event) {
      if (event['error'] != null) return hasEnded ? undefined : { error: event['error'] };
      const [first] = Array.isArray(event['choices']) ? event['choices'] : [];
      const choice = isRecord(first) ? first : undefined;
      const told = usageIn(event, choice);
      const delta = choice ? deltaOf(choice, calls) : undefined;
      const finish = choice?.['finish_reason'];
      const finish_reason = finish == null || finish === '' ? undefined : String(finish);
      hasSaid ||= delta !== undefined;
      hasEnded ||= finish_reason !== undefined;
      isCounted = told !== undefined && delta === undefined;
      usage = told ?? usage;
      if (!delta && !told && finish_reason === undefined) return undefined;
      return chunk(delta, finish_reason, told);
    },
    // Without a reason it has ended where the server says so, or counts what it used.
    end: (isDone) => (!hasEnded && hasSaid && (isDone || (usage && isCounted)) ? chunk({}, 'stop') : undefined),
    isOver: () => hasEnded,
  };
}

function chunk(delta: object | undefined, finish_reason: string | undefined, usage?: unknown): object {
  const choice = { index: 0, ...(delta && { delta }), ...(finish_reason !== undefined && { finish_reason }) };
  return { choices: delta || finish_reason !== undefined ? [choice] : [], ...(usage !== undefined && { usage }) };
}

/** Returns what an event says of usage, wherever that is, under the names of chat completions. */
function usageIn(event: Fields, choice: Fields | undefined): Fields | undefined {
  const groq = event['x_groq'];
  const places = [event['usage'], choice?.['usage'], isRecord(groq) ? groq['usage'] : undefined, timingsIn(event)];
  const told = withNumbers(places.find(isRecord));
  if (!isRecord(told)) return undefined;
  const { input_tokens, output_tokens, prompt_tokens, completion_tokens, cached_tokens, prompt_cache_hit_tokens } =
    told;
  const cached = cached_tokens ?? prompt_cache_hit_tokens;
  return {
    ...(typeof cached === 'number' && { prompt_tokens_details: { cached_tokens: cached } }),
    ...told,
    prompt_tokens: prompt_tokens ?? input_tokens,
    completion_tokens: completion_tokens ?? output_tokens,
  };
}

/** Some servers of llama.cpp count in this way alone. */
function timingsIn({ timings }: Fields): Fields | undefined {
  const told = withNumbers(timings);
  if (!isRecord(told) || typeof told['prompt_n'] !== 'number') return undefined;
  const cached = typeof told['cache_n'] === 'number' ? told['cache_n'] : 0;
  return { prompt_tokens: told['prompt_n'] + cached, completion_tokens: told['predicted_n'], cached_tokens: cached };
}

/** Returns the piece in a choice, or the whole message; undefined if it says nothing. */
function deltaOf(choice: Fields, calls: CallPieces): object | undefined {
  const said = [choice['delta'], choice['message']].find(isRecord) ?? {};
  const reasoning = said['reasoning_content'] ?? said['reasoning'];
  const content = contentOf(said['content'] ?? choice['text']);
  const tools = calls.read(said);
  const { refusal } = said;
  if (content === undefined && typeof reasoning !== 'string' && tools.length === 0 && typeof refusal !== 'string')
    return undefined;
  return {
    ...(content !== undefined && { content }),
    ...(typeof reasoning === 'string' && { reasoning_content: reasoning }),
    ...(typeof refusal === 'string' && { refusal }),
    ...(tools.length > 0 && { tool_calls: tools }),
  };
}

/** Returns a text, or parts of which the library reads those that it knows; undefined if it is empty. */
function contentOf(content: unknown): unknown {
  if (typeof content === 'string') return content === '' ? undefined : content;
  if (isRecord(content)) return contentOf(content['text']);
  const parts = Array.isArray(content)
    ? content.filter((part) => isRecord(part) && typeof part['type'] === 'string')
    : [];
  return parts.length > 0 ? parts : undefined;
}

/** The uses of tools of one answer, whose names come first, and whose arguments are text. */
class CallPieces {
  /** The arguments that came for each use before its name; undefined from then on. */
  readonly #waiting = new Map<number, string | undefined>();
  readonly #ids = new Map<number, unknown>();
  #last = -1;

  /** Reads the pieces in a message, also in the oldest form. */
  read({ tool_calls, function_call }: Fields): object[] {
    const pieces = Array.isArray(tool_calls) ? tool_calls : [tool_calls];
    const known = pieces.filter(isRecord);
    return known.length > 0 ? known.flatMap((piece) => this.#piece(piece)) : this.#old(function_call);
  }

  #old(used: unknown): object[] {
    return isRecord(used) ? this.#piece({ index: 0, function: used }) : [];
  }

  #piece({ index, id, function: used, extra_content }: Fields): object[] {
    const { name, arguments: input } = isRecord(used) ? used : {};
    const place = withNumbers(index);
    const isNew = typeof name === 'string' && (typeof place !== 'number' || this.#isOther(place, id));
    const at = isNew ? this.#last + 1 : typeof place === 'number' ? place : this.#last;
    const text = typeof input === 'string' ? input : input == null ? '' : JSON.stringify(input);
    this.#last = Math.max(this.#last, at);
    if (id != null) this.#ids.set(at, id);
    const isNamed = this.#waiting.has(at) && this.#waiting.get(at) === undefined;
    if (!isNamed && typeof name !== 'string') {
      this.#waiting.set(at, (this.#waiting.get(at) ?? '') + text);
      return [];
    }
    const before = this.#waiting.get(at) ?? '';
    this.#waiting.set(at, undefined);
    return [
      {
        index: at,
        ...(isNamed ? {} : { id: String(id ?? `call_${randomUUID()}`) }),
        function: { ...(isNamed ? {} : { name }), arguments: before + text },
        ...(isRecord(extra_content) && { extra_content }),
      },
    ];
  }

  /** Tells whether a use has another id than the one in its place: some give all of them the same place. */
  #isOther(place: number, id: unknown): boolean {
    return id != null && this.#ids.has(place) && this.#ids.get(place) !== id;
  }
}
