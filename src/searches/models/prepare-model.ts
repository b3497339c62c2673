import { isDeepStrictEqual } from 'node:util';
import { mapTexts } from '../../core/messages/message.ts';
import {
  type Model,
  type ModelAnswer,
  type ModelRequest,
  type Price,
  type Turn,
  wrappedModel,
} from '../../core/ports/model.ts';
import type { ToolCall, ToolResult } from '../../core/ports/tool.ts';
import { ThoughtTreeError, toThoughtTreeError } from '../../core/search/errors.ts';
import { isKeyLike, redactor, redactorOfPieces } from '../../core/text/redact.ts';
import { bytesOf } from '../../engine/limits.ts';
import type { Recorder } from '../../models/replay/recorder.ts';
import { SecretFilter } from '../../text/secrets/secret-filter.ts';
import { priceOf } from './own-prices.ts';

/** The changes that every host makes to a model before a search may use it. */
export interface Preparation {
  /** The price that this person gave for it, instead of the known one. */
  readonly price?: Price | undefined;
  /** The room for its reasoning that this person gave it, in tokens, instead of the known one. */
  readonly thinking?: number | undefined;
  /** Keys and passwords that must not appear in its output: not in an answer, an error or a recording. */
  readonly secrets?: readonly (string | undefined)[];
  /** Files that models may be shown as they are, secrets and all: documents quote them, so that nothing is left out then. */
  readonly allowedFiles?: readonly string[] | undefined;
  /** Records requests and answers. */
  readonly recorder?: Pick<Recorder, 'wrap'> | undefined;
}

/** Gives a model its price, keeps secrets out of what it is sent and of its output, and records it if requested. */
export function prepareModel(
  model: Model,
  { price, thinking, secrets = [], recorder, allowedFiles = [] }: Preparation,
): Model {
  // One that the model has itself may change while a search runs.
  const known = price ?? (model.price ? undefined : priceOf(model.name));
  const given = {
    ...(known && !model.free && { price: known }),
    ...(thinking !== undefined && { thinking: { usual: thinking, low: thinking } }),
  };
  const safe = withoutSecrets(Object.keys(given).length > 0 ? wrappedModel(model, given) : model, secrets);
  // Recorded as what it turned out to be.
  const able = knowsItsLimits(safe);
  const recorded = recorder ? recorder.wrap(able) : able;
  return allowedFiles.length > 0 ? recorded : sentNoSecrets(recorded);
}

/** A server may echo what it was sent: the key must not get into a file, a log or a recording that way. */
function withoutSecrets(model: Model, secrets: readonly (string | undefined)[]): Model {
  const redact = redactor(secrets);
  const keys = secrets.filter(isKeyLike);
  const redactAnswer = redactor(keys);
  const generate: Model['generate'] = async (request, call) => {
    try {
      const { onText } = call;
      const safePiece = redactorOfPieces(keys);
      // A key may come in several pieces.
      const safely = onText && { onText: (piece: string) => onText(safePiece(piece)) };
      const answer = await model.generate(request, { ...call, ...safely });
      const rest = safePiece('', true);
      if (rest !== '') onText?.(rest);
      return withoutKeys(answer, redactAnswer);
    } catch (error) {
      const { reason, say, details } = toThoughtTreeError(error);
      const safe = mapTexts(say, redact);
      throw isDeepStrictEqual(safe, say) ? error : new ThoughtTreeError(reason, safe, details);
    }
  };
  const late: NonNullable<Model['late']> = async (calls, request, signal) => {
    const found = await model.late?.(calls, request, signal);
    return found && { ...found, answer: withoutKeys(found.answer, redactAnswer) };
  };
  return wrappedModel(model, { label: redact(model.label), generate, ...(model.late && { late }) });
}

function withoutKeys(answer: ModelAnswer, redact: (text: string) => string): ModelAnswer {
  const toolCalls = answer.toolCalls?.map((asked) => safeCall(asked, redact));
  return { ...answer, text: redact(answer.text), ...(toolCalls && { toolCalls }) };
}

/** Everything in a use that its server wrote, including its id and the provider's own data. */
function safeCall({ id, name, input, provider }: ToolCall, redact: (text: string) => string): ToolCall {
  return {
    id: redact(id),
    name: redact(name),
    input: redactWithin(input, redact),
    ...(provider && { provider: redactWithin(provider, redact) as Record<string, unknown> }),
  };
}

/** Data with all its texts redacted, including names; anything nested too deeply for JSON is cut off. */
function redactWithin(data: unknown, redact: (text: string) => string, depth = 0): unknown {
  if (typeof data === 'string') return redact(data);
  if (typeof data !== 'object' || data === null) return data;
  if (depth === DEEPEST) return '…';
  if (Array.isArray(data)) return data.map((each) => redactWithin(each, redact, depth + 1));
  return Object.fromEntries(
    Object.entries(data).map(([name, each]) => [redact(name), redactWithin(each, redact, depth + 1)]),
  );
}

const DEEPEST = 50;

/** The models that refused tools or schemas, and contexts, by name and place: a server is asked once, for all searches here. */
const REFUSED = new Set<string>();
const CONTEXTS = new Map<string, number>();
/** The most that a model has taken in one request, its answer's room with it, in tokens as its server counted them. */
const TAKEN = new Map<string, number>();

/** In tokens: a shorter context has no room for tools, what they find, and an answer. */
const LEAST_CONTEXT = 8000;
/** Tokens for a byte of a prompt, as most have; and how much of a refused request is tried where nobody says what fits. */
const TOKENS_A_BYTE = 0.3;
const SMALLER = 0.75;
/** A request that seems to be that much longer than a context was not made for it. */
const LARGER = 1.5;
/** So much of what was taken before is always tried: our own count of a request may be that much too small. */
const SURELY = 0.9;
/** In tokens: with less than that nothing can be asked. */
const SMALLEST = 1024;
/** In tokens: the shortest context, prompt and answer together, in which a search is sure to find its way. */
const SHORTEST_CONTEXT = 4096;
/** In tokens: a use of tools has room in that. */
const A_USE = 512;

/**
 * Wraps a model so that it counts as one without tools, or without schemas, once it, or its server, has refused a request
 * for having some, and as one without tools where its context is too short for them; and so that its context is what its
 * server told when it refused a request as too long, or less than that request where it told nothing. Until it has taken a
 * request, `narrowed` makes such as the shortest context holds: if even that is refused, less would be, too.
 */
export function knowsItsLimits(model: Model): Model {
  const key = (): string => `${model.name} ${model.label}`;
  const contextTokens = (): number | undefined => {
    const learnt = CONTEXTS.get(key()) ?? Number.POSITIVE_INFINITY;
    const least = Math.min(learnt, model.contextTokens ?? Number.POSITIVE_INFINITY);
    return Number.isFinite(least) ? least : undefined;
  };
  const generate: Model['generate'] = async (request, call) => {
    const before = contextTokens();
    try {
      const answer = await model.generate(request, call);
      const taken = answer.usage ? answer.usage.prompt + request.maxOutputTokens : 0;
      TAKEN.set(key(), Math.max(taken, TAKEN.get(key()) ?? 0));
      return answer;
    } catch (error) {
      const { refusesTools, refusesSchema, isTooLong, contextTokens: told } = toThoughtTreeError(error).details;
      if (request.tools && refusesTools) REFUSED.add(`tools ${key()}`);
      if (request.schema && refusesSchema) REFUSED.add(`schemas ${key()}`);
      // A limit that another request learnt meanwhile holds for this one, too.
      if (isTooLong && contextTokens() === before)
        CONTEXTS.set(key(), contextAfter(request, { known: before, taken: TAKEN.get(key()), told }));
      throw error;
    }
  };
  return wrappedModel(model, {
    generate,
    get contextTokens() {
      return contextTokens();
    },
    narrowed: (request) =>
      model.thinking || contextTokens() !== undefined || TAKEN.has(key()) ? request : withinShortest(request),
    get takesSchemas() {
      return model.takesSchemas === true && !REFUSED.has(`schemas ${key()}`);
    },
    get tools() {
      return (
        model.tools === true && (contextTokens() ?? LEAST_CONTEXT) >= LEAST_CONTEXT && !REFUSED.has(`tools ${key()}`)
      );
    },
  });
}

/**
 * Returns the context after a refusal; the known one if what the server tells, or the shortest context, holds the request, so
 * that sending less is in vain. Refusals that cross each other would lead to one in which nothing fits: what the model took
 * before bounds it.
 */
function contextAfter(
  request: ModelRequest,
  {
    known = Number.POSITIVE_INFINITY,
    taken = 0,
    told,
  }: { known?: number | undefined; taken?: number | undefined; told?: number | undefined },
): number {
  const asked = promptOf(request) + request.maxOutputTokens;
  const held = told === undefined ? SHORTEST_CONTEXT : Math.min(told, Math.max(SHORTEST_CONTEXT, SMALLER * told));
  if (!Number.isFinite(known) && taken === 0 && asked <= held) return known;
  if (told !== undefined && told < known) return told;
  // One that was made before that was known shows nothing new. Contexts too short to work in get shorter, until a person hears of it.
  const isOlder = known >= SHORTEST_CONTEXT && asked > LARGER * known;
  if (told !== undefined && (asked < SMALLER * told || isOlder)) return known;
  const smaller = Math.max(SMALLER * Math.min(known, asked), SURELY * taken);
  return Math.min(known, Math.max(SMALLEST, Math.floor(smaller)));
}

/**
 * Returns a request that the shortest context holds, by what room it leaves for the answer; as it is where that is too little,
 * or where no tools may be used: a first answer is nearly always a use of some, which is short.
 */
function withinShortest(request: ModelRequest): ModelRequest {
  const room = SHORTEST_CONTEXT - promptOf(request);
  if (!request.tools || request.toolsAreOver || room < A_USE || room >= request.maxOutputTokens) return request;
  return { ...request, maxOutputTokens: room };
}

/** Estimates the tokens of a prompt. */
function promptOf(request: ModelRequest): number {
  return Math.ceil(bytesOf(request) * TOKENS_A_BYTE);
}

/** Requests are read like prose that may quote anything. */
const AS = 'request.md';

/**
 * Wraps a model so that it is sent nothing that looks like a secret, wherever that comes from. What is read of the
 * workspace is filtered before it gets into a prompt; this is for what lies in the search's own folder, which may have
 * come with a clone: documents, notes, conversations, and what commands print.
 */
function sentNoSecrets(model: Model): Model {
  if (model.prose === false) return model; // it is in this process, and reads no prose
  const filter = new SecretFilter('/');
  const hide = async (text: string): Promise<string> => (await filter.hide(AS, text)).text;
  const generate: Model['generate'] = async (request, call) => model.generate(await without(request, hide), call);
  return wrappedModel(model, { generate });
}

async function without(request: ModelRequest, hide: (text: string) => Promise<string>): Promise<ModelRequest> {
  const results = async (said: readonly ToolResult[] = []): Promise<ToolResult[]> => {
    const hidden: ToolResult[] = [];
    for (const each of said) hidden.push({ ...each, text: await hide(each.text) });
    return hidden;
  };
  const turns: Turn[] = [];
  for (const turn of request.turns) {
    const text = await hide(turn.text);
    turns.push({ ...turn, text, ...(turn.toolResults && { toolResults: await results(turn.toolResults) }) });
  }
  const { toolResults } = request;
  return {
    ...request,
    system: await hide(request.system),
    turns,
    prompt: await hide(request.prompt),
    ...(toolResults && { toolResults: await results(toolResults) }),
  };
}
