import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Model, ModelAnswer, ModelCall, ModelRequest, Turn, Usage } from '../core/ports/model.ts';
import type { ToolCall } from '../core/ports/tool.ts';
import { type ThoughtTreeError, toThoughtTreeError } from '../core/search/errors.ts';
import { jsonOrNothing } from '../core/text/loose-json.ts';
import { utf8Length } from '../core/text/text.ts';
import { AnswerText, askJson, timedCall } from './http/call.ts';
import { checkedUsage, Tokens } from './http/checked-usage.ts';
import { brokenOff, endedEarly, serverFailure } from './http/failures.ts';
import { guardedFetch } from './http/guarded-fetch.ts';
import { linesOf } from './http/lenient-events.ts';
import {
  callHeaders,
  type HttpModelOptions,
  jsonHeaders,
  readServer,
  readTimeout,
  type Server,
} from './http/server.ts';
import { takesEffort, thinkingOf } from './known-models.ts';
import * as say from './messages.ts';

/** The part of an answer's line with the uses of tools that the model asks for. They have no ids. */
const WireToolCalls = z
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

/** Returns the messages of a request: one for each turn, and one for each result of a tool. */
function chatMessages({ system, turns, prompt, toolResults }: ModelRequest): object[] {
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

/** Returns the tools of a request; none if they were used enough, since the server has no option for that. */
function chatTools({ tools, toolsAreOver }: ModelRequest): { tools?: object[] } {
  if (!tools || toolsAreOver) return {};
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    })),
  };
}

const LINES = 'application/x-ndjson';
/** Loading a large model from a slow disk, and reading a long prompt without a graphics card. */
const LOADING_MS = 15 * 60_000;
/** The time for which the server keeps the model in memory after a request: a search has pauses. */
const KEEP_ALIVE = '30m';

/**
 * A model behind Ollama's own API. Its compatible endpoint does not let us set the context size, and silently cuts off
 * what does not fit.
 *
 * @throws ThoughtTreeError `bad-input`: the base URL, the key or the time is wrong.
 */
export async function openOllamaModel(modelName: string, options: HttpModelOptions): Promise<Model> {
  const { url, ...rest } = readServer(modelName, options);
  const advice = { 'unknown-model': say.pullModel({ model: modelName.slice(0, 120) }) };
  // Many people have the address of the compatible endpoint in their settings.
  const server: Server = { ...rest, url: url.replace(/\/(v1|api)$/, ''), advice };
  const timeoutMs = readTimeout(options.timeoutMs);
  const thinking = thinkingOf(modelName);
  const send = guardedFetch(server, { type: LINES, asStream });
  let longest = await askContextLength(server, modelName);
  let size = 0;

  async function answer(
    request: ModelRequest,
    call: ModelCall,
    signal: AbortSignal,
    begun: () => void,
  ): Promise<ModelAnswer> {
    longest ??= await askContextLength(server, modelName, signal);
    // Never smaller than before: another size makes the server reload the model.
    size = Math.max(size, contextSize(request, longest));
    const response = await send(`${server.url}/api/chat`, {
      method: 'POST',
      headers: { ...jsonHeaders(server), ...callHeaders(request) },
      body: JSON.stringify(chatOf(modelName, request, size)),
      signal,
    });
    begun();
    const text = new AnswerText(server, request, call);
    try {
      return await read(response, request, text);
    } catch (failure) {
      return text.despite(failure);
    }
  }

  async function read(response: Response, request: ModelRequest, text: AnswerText): Promise<ModelAnswer> {
    const toolCalls: ToolCall[] = [];
    for await (const line of linesOf(response.body)) {
      if (line.trim() === '') continue;
      const { data } = Line.safeParse(jsonOrNothing(line));
      if (!data) throw endedEarly(server, say.lineNotJson());
      const isWhole = text.received.text.bytes + text.received.reasoning.bytes === 0;
      if (data.error != null) throw serverFailure(server, { body: { error: data.error }, isWhole });
      text.add(data.message?.content ?? '');
      text.count(data.message?.thinking ?? '', 'reasoning');
      toolCalls.push(...toolCallsOf(data.message?.tool_calls));
      if (!data.done) continue;
      const checked = checkedUsage(usageOf(data), request, text.received);
      if (toolCalls.length > 0 && data.done_reason !== 'length')
        return { text: text.whole(), finish: 'tools', toolCalls, ...checked };
      return { text: text.whole(), finish: FINISH[data.done_reason ?? 'stop'] ?? 'other', ...checked };
    }
    throw endedEarly(server, say.noEnd());
  }

  return {
    name: `ollama/${modelName}`,
    label: `${server.model} (${new URL(server.url).host})`,
    free: false,
    tools: true,
    price: { prompt: 0, cached: 0, completion: 0 },
    keepsTime: true,
    metered: true,
    takesSchemas: true,
    ...(thinking && { thinking }),
    get contextTokens() {
      return longest;
    },
    generate: (request, call) =>
      timedCall(
        server,
        { timeoutMs, loadingMs: LOADING_MS },
        call,
        (signal, begun) => answer(request, call, signal, begun),
        (error) => asFailure(server, error),
      ),
  };
}

/** Returns the body of a request; a prompt that does not fit has to be refused, not cut. */
function chatOf(model: string, request: ModelRequest, num_ctx: number): object {
  return {
    model,
    messages: chatMessages(request),
    ...chatTools(request),
    ...(request.effort === 'low' && takesEffort(model) ? { think: 'low' } : {}),
    ...(request.schema && { format: request.schema }),
    stream: true,
    truncate: false,
    shift: false,
    keep_alive: KEEP_ALIVE,
    options: { num_ctx, num_predict: request.maxOutputTokens },
  };
}

const FINISH: Readonly<Record<string, ModelAnswer['finish']>> = { stop: 'stop', length: 'length' };

const Line = z.object({
  error: z.unknown().optional(),
  message: z
    .object({
      content: z.string().nullish(),
      thinking: z.string().nullish().catch(undefined),
      tool_calls: WireToolCalls,
    })
    .nullish(),
  done: z.boolean().nullish(),
  done_reason: z.string().nullish(),
  prompt_eval_count: Tokens.optional().catch(undefined),
  eval_count: Tokens.optional().catch(undefined),
});

/** A complete answer is the last line of a stream, with all of the text. */
function asStream(body: unknown): string | undefined {
  const { data } = Line.safeParse(body);
  return data?.message && data.done ? JSON.stringify(body) : undefined;
}

/** It does not report its cache, and nothing at all if it omitted a count. */
function usageOf({ prompt_eval_count: prompt, eval_count: completion }: z.infer<typeof Line>): Usage | undefined {
  return prompt === undefined || completion === undefined ? undefined : { prompt, cached: 0, completion };
}

function asFailure(server: Server, error: unknown): ThoughtTreeError {
  const failure = toThoughtTreeError(error);
  // An error thrown by a body that breaks in the middle is the network's.
  return failure.reason === 'internal' && error instanceof Error && 'code' in error
    ? brokenOff(server, error)
    : failure;
}

/** The number of bytes per token, at the least that prose and code usually have. */
const BYTES_A_TOKEN = 3;
/** Tokens that a model's template may add to a message. */
const TOKENS_A_MESSAGE = 16;
const SMALLEST_CONTEXT = 4096;

/**
 * The context size that a request needs, in tokens: an estimate of its prompt, plus the longest answer, rounded up to a
 * power of two, so that the server need not reload the model for every few tokens more.
 *
 * @param longest what the model accepts; undefined if unknown
 */
export function contextSize(request: ModelRequest, longest: number | undefined): number {
  const { system, turns, prompt: text, tools, toolsAreOver, toolResults } = request;
  const offered = tools && !toolsAreOver ? [JSON.stringify(tools)] : [];
  const texts = [
    system,
    ...offered,
    ...turns.flatMap(saidIn),
    ...saidIn({ text, ...(toolResults && { toolResults }) }),
  ];
  const prompt = texts.reduce((sum, text) => sum + Math.ceil(utf8Length(text) / BYTES_A_TOKEN) + TOKENS_A_MESSAGE, 0);
  let size = SMALLEST_CONTEXT;
  while (size < prompt + request.maxOutputTokens) size *= 2;
  return Math.min(size, longest ?? size);
}

/** Returns all that a turn says: what tools are asked for, and what they gave, too. */
function saidIn({ text, toolCalls = [], toolResults = [] }: Omit<Turn, 'role'>): string[] {
  return [text, ...toolCalls.map((call) => JSON.stringify(call)), ...toolResults.map((result) => result.text)];
}

const ASKING_MS = 2000;

const ShownModel = z.object({ model_info: z.record(z.string(), z.unknown()) });
const ContextLength = z.int().positive();

/** The longest prompt plus answer that a model was made for, in tokens; undefined if the server does not say. */
async function askContextLength(server: Server, model: string, signal?: AbortSignal): Promise<number | undefined> {
  const question = { path: '/api/show', headers: jsonHeaders(server), body: { model }, timeoutMs: ASKING_MS, signal };
  // Whatever is wrong, the request itself will report it better.
  const body = await askJson(server, question).catch(() => undefined);
  const { data } = ShownModel.safeParse(body);
  if (!data) return undefined;
  // Its key begins with the model's architecture, as in `llama.context_length`.
  const architecture = String(data.model_info['general.architecture']);
  return ContextLength.safeParse(data.model_info[`${architecture}.context_length`]).data;
}
