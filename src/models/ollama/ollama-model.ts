import * as z from 'zod';
import type { Model, ModelAnswer, ModelCall, ModelRequest, Usage } from '../../core/ports/model.ts';
import type { ToolCall } from '../../core/ports/tool.ts';
import { type ThoughtTreeError, toThoughtTreeError } from '../../core/search/errors.ts';
import { AnswerText } from '../http/answer-text.ts';
import { callHeaders } from '../http/call-headers.ts';
import { checkedUsage } from '../http/checked-usage.ts';
import { brokenOff, endedEarly } from '../http/failures/network-failure.ts';
import { serverFailure } from '../http/failures/server-failure.ts';
import { guardedFetch } from '../http/guarded-fetch.ts';
import { jsonHeaders } from '../http/json-headers.ts';
import { linesOf } from '../http/lines-of.ts';
import { parsed } from '../http/read-body.ts';
import { type HttpModelOptions, readServer, readTimeout, type Server } from '../http/server.ts';
import { timedCall } from '../http/timed-call.ts';
import { Tokens } from '../http/tokens.ts';
import * as say from '../messages.ts';
import { takesEffort, thinkingOf } from '../thinking.ts';
import { askContextLength } from './ask-context-length.ts';
import { contextSize } from './context-size.ts';
import { chatMessages, chatTools, toolCallsOf, WireToolCalls } from './ollama-tools.ts';

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
      const { data } = Line.safeParse(parsed(line));
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

/** The body of a request; a prompt that does not fit has to be refused, not cut. */
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
