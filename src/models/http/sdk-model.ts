import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
} from '@ai-sdk/provider';
import type { Model, ModelAnswer, ModelCall, ModelRequest, Thinking, Turn } from '../../core/ports/model.ts';
import type { ToolCall } from '../../core/ports/tool.ts';
import { isThoughtTreeError, type ThoughtTreeError, toThoughtTreeError } from '../../core/search/errors.ts';
import { jsonOrNothing } from '../../core/text/loose-json.ts';
import * as say from '../messages.ts';
import { AnswerText, timedCall } from './call.ts';
import { checkedUsage, type ToldUsage } from './checked-usage.ts';
import { brokenOff, endedEarly, serverFailure, unknownEvent } from './failures.ts';
import { callHeaders, type Server } from './server.ts';

type ProviderOptions = NonNullable<LanguageModelV4CallOptions['providerOptions']>;

/** The parts that make one of our models from one of the AI SDK's. */
export interface SdkModelParts {
  /** `provider/model` */
  readonly name: string;
  readonly server: Server;
  readonly timeoutMs: number;
  readonly chat: LanguageModelV4;
  /** The usage that the server reported for an answer; undefined if there is none, or it cannot be read. */
  readonly usageOf: (raw: unknown) => ToldUsage | undefined;
  /** Puts the provider's cache marks into the messages of a request; none by default. */
  readonly mark?: (prompt: LanguageModelV4Prompt, request: ModelRequest) => LanguageModelV4Prompt;
  readonly providerOptions?: ProviderOptions;
  readonly thinking?: Thinking | undefined;
  /** The options of a request for little effort; none for models that do not reason, or do not let themselves be told. */
  readonly lowEffort?: Pick<LanguageModelV4CallOptions, 'reasoning' | 'providerOptions'> | undefined;
  readonly contextTokens?: number | undefined;
  readonly takesSchemas?: boolean;
  readonly warmsCache?: boolean;
}

/**
 * A model behind a provider of the AI SDK. Its `doStream` is used directly, not `streamText` of the package `ai` around
 * it: nothing retries or logs by itself, errors are reported once and unchanged, and the bundle is much smaller.
 */
export function sdkModel(parts: SdkModelParts): Model {
  const { server, timeoutMs } = parts;
  return {
    name: parts.name,
    label: `${server.model} (${new URL(server.url).host})`,
    free: false,
    tools: true,
    keepsTime: true,
    metered: true,
    ...(parts.takesSchemas && { takesSchemas: true }),
    ...(parts.thinking && { thinking: parts.thinking }),
    ...(parts.contextTokens === undefined ? {} : { contextTokens: parts.contextTokens }),
    ...(parts.warmsCache === undefined ? {} : { warmsCache: parts.warmsCache }),
    generate: (request, call) =>
      timedCall(
        server,
        { timeoutMs },
        call,
        (signal) => answer(parts, request, call, signal),
        (error) => asFailure(server, error),
      ),
  };
}

async function answer(
  parts: SdkModelParts,
  request: ModelRequest,
  call: ModelCall,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const { server, chat, mark, providerOptions, lowEffort } = parts;
  const prompt = messagesOf(request);
  const { stream } = await chat.doStream({
    prompt: mark ? mark(prompt, request) : prompt,
    maxOutputTokens: request.maxOutputTokens,
    headers: callHeaders(request),
    ...toolOptions(request),
    ...(request.schema && { responseFormat: { type: 'json', name: 'answer', schema: request.schema } }),
    abortSignal: signal,
    ...(providerOptions ? { providerOptions } : {}),
    ...(request.effort === 'low' ? lowEffort : {}),
  });
  const text = new AnswerText(server, request, call);
  try {
    return await read(parts, request, stream, text);
  } catch (failure) {
    return text.despite(failure);
  }
}

async function read(
  { server, usageOf }: SdkModelParts,
  request: ModelRequest,
  stream: ReadableStream<LanguageModelV4StreamPart>,
  text: AnswerText,
): Promise<ModelAnswer> {
  const toolCalls: ToolCall[] = [];
  let odd: unknown;
  for await (const part of stream) {
    // An event of an unknown form is passed over, as long as the others make an answer.
    if (part.type === 'error') odd ??= oddEvent(part.error) ?? raise(failureWithin(server, part.error, text));
    if (part.type === 'text-delta') text.add(part.delta);
    if (part.type === 'reasoning-delta') text.count(part.delta, 'reasoning');
    if (part.type === 'tool-input-delta') text.count(part.delta);
    if (part.type === 'tool-call') toolCalls.push(toolCallOf(part));
    if (part.type === 'finish') {
      const { unified, raw } = part.finishReason;
      const checked = checkedUsage(usageOf(part.usage.raw), request, text.received);
      const isSomething = toolCalls.length > 0 || text.received.text.bytes > 0;
      // Some libraries call an answer with such an event a failure; what was counted has an end.
      if (odd !== undefined && !(isSomething && (unified !== 'error' || checked.usage)))
        throw unknownEvent(server, odd);
      if (unified === 'interrupted') break;
      if (unified === 'error' && odd === undefined)
        throw serverFailure(server, { body: `it ended with ${raw ?? 'an error'}` });
      // Some servers say `stop` nevertheless.
      if (toolCalls.length > 0 && unified !== 'length')
        return { text: text.whole(), finish: 'tools', toolCalls, ...checked };
      return { text: text.whole(), finish: FINISH[unified === 'error' ? 'stop' : unified] ?? 'other', ...checked };
    }
  }
  throw endedEarly(server, say.noEnd());
}

const FINISH: Readonly<Record<string, ModelAnswer['finish']>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'refused',
};

/** Returns an event that is not part of an answer: the server's error object, or something unreadable. */
function failureWithin(server: Server, error: unknown, { received }: AnswerText): ThoughtTreeError {
  const ours = oursWithin(error);
  if (ours) return ours;
  const isWhole = received.text.bytes + received.reasoning.bytes === 0;
  if (!(error instanceof Error)) return serverFailure(server, { body: error, isWhole });
  if (error.name === 'AI_InvalidResponseDataError') return endedEarly(server, say.noFinishReason());
  if (error.name === 'AI_JSONParseError') return endedEarly(server, say.eventNotJson());
  return serverFailure(server, { body: 'value' in error ? error.value : error.message, isWhole });
}

/** The event that the library could not read, if it is no error of the server. */
function oddEvent(error: unknown): unknown {
  if (!(error instanceof Error && error.name === 'AI_TypeValidationError' && 'value' in error)) return undefined;
  const { value } = error;
  return typeof value === 'object' && value !== null && 'error' in value && value.error != null ? undefined : value;
}

function raise(error: ThoughtTreeError): never {
  throw error;
}

function asFailure(server: Server, error: unknown): ThoughtTreeError {
  const ours = oursWithin(error);
  if (ours) return ours;
  // The library also throws plain errors, for events in an unexpected order.
  if (!(error instanceof Error && /^(AI_.*|Error)$/.test(error.name))) return toThoughtTreeError(error);
  // An error among the events, before the first piece of text.
  const body = 'responseBody' in error && typeof error.responseBody === 'string' ? error.responseBody : undefined;
  if (body !== undefined) {
    const code = 'statusCode' in error ? error.statusCode : undefined;
    return serverFailure(server, {
      body: { code, error: jsonOrNothing(body) ?? body, message: error.message },
      isWhole: true,
    });
  }
  // Other errors of the library mean a broken connection; the rest are bugs.
  return brokenOff(server, error);
}

/** The library wraps errors of our fetch in its own. */
function oursWithin(error: unknown): ThoughtTreeError | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++)
    if (isThoughtTreeError(at)) return at;
  return undefined;
}

/**
 * Providers that get their own data on a tool call back: Gemini refuses its calls without the signature of the thoughts
 * behind them. What others add refers to things stored on their servers, and nothing is stored there.
 */
const SENT_BACK = ['google'];

/** Returns the messages of a request, one for each turn and one for the prompt. */
function messagesOf({ system, turns, prompt, toolResults }: ModelRequest): LanguageModelV4Prompt {
  const last: Turn = { role: 'user', text: prompt, ...(toolResults ? { toolResults } : {}) };
  return [...(system === '' ? [] : [{ role: 'system' as const, content: system }]), ...[...turns, last].map(messageOf)];
}

function messageOf({ role, text, toolCalls, toolResults }: Turn): LanguageModelV4Message {
  const said = { type: 'text' as const, text };
  if (toolResults)
    return {
      role: 'tool',
      content: toolResults.map(({ id, name, text: value }) => ({
        type: 'tool-result',
        toolCallId: id,
        toolName: name,
        output: { type: 'text', value },
      })),
    };
  if (toolCalls) return { role: 'assistant', content: [...(text === '' ? [] : [said]), ...toolCalls.map(callPart)] };
  return { role, content: [said] };
}

function callPart({ id, name, input, provider }: ToolCall) {
  return {
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input,
    ...(provider ? { providerOptions: provider as NonNullable<LanguageModelV4CallOptions['providerOptions']> } : {}),
  };
}

/** Returns the tools of a request, in the library's form. */
function toolOptions({ tools, toolsAreOver }: ModelRequest): Pick<LanguageModelV4CallOptions, 'tools' | 'toolChoice'> {
  if (!tools || tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function',
      name,
      description,
      inputSchema: parameters,
    })),
    // Named nevertheless: providers refuse conversations with calls of undeclared tools.
    toolChoice: { type: toolsAreOver ? 'none' : 'auto' },
  };
}

/** One use that a model asks for. If its input is not JSON, the tool refuses it. */
function toolCallOf({ toolCallId, toolName, input, providerMetadata }: LanguageModelV4ToolCall): ToolCall {
  const kept = Object.entries(providerMetadata ?? {}).filter(([name]) => SENT_BACK.includes(name));
  return {
    id: toolCallId.slice(0, 200),
    name: toolName.slice(0, 200),
    input: input.trim() === '' ? {} : (jsonOrNothing(input) ?? input),
    ...(kept.length > 0 ? { provider: Object.fromEntries(kept) } : {}),
  };
}
