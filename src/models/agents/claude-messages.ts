import { open, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { foreign, type Message } from '../../core/messages/message.ts';
import type { ModelAnswer, ModelCall, Usage } from '../../core/ports/model.ts';
import { type Reason, ThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import * as say from '../messages.ts';

/** The maximum length of everything said in response to one question, in characters. */
const MAX_TEXT = 4 * 1024 * 1024;

/** Collects the SDK's messages about one question, and makes the answer from them. */
export class Hearing {
  readonly #meter = new UsageMeter();
  readonly #tokens: number;
  readonly #most: number;
  readonly #onText: ModelCall['onText'];
  #result: Result | undefined;
  #error: string | undefined;
  #failure: string | undefined;
  #length = 0;
  #isOver = false;

  /**
   * @param tokens the number of tokens after which no further request may begin
   * @param most what the question can have cost at most, in US dollars, if nobody reports the cost
   */
  constructor(tokens: number, most: number, { onText }: ModelCall) {
    this.#tokens = tokens;
    this.#most = most;
    this.#onText = onText;
  }

  /** Tells whether nothing more may be asked: another request could exceed the limit, or too much was said. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get hasEnded(): boolean {
    return this.#isOver || this.#result !== undefined;
  }

  /** Tells whether anything was answered, so that it may cost something. */
  get isCharged(): boolean {
    return this.#meter.isUsed;
  }

  hear(told: unknown): void {
    const message = ClaudeMessage.safeParse(told).data;
    if (message?.type === 'result') this.#result = message;
    else if (message?.type === 'assistant') this.#error = message.error ?? this.#error;
    else if (message?.type === 'stream_event') this.#take(message.event);
  }

  /** The process ended without a result. */
  fail(error: unknown): void {
    this.#failure = error instanceof Error ? error.message : String(error);
  }

  /**
   * @param before what the session had cost before, in US dollars; undefined if unknown
   * @throws ThoughtTreeError if there is no answer, and no limit is the cause
   */
  answer(name: string, before: number | undefined): ModelAnswer {
    const result = this.#result;
    const isKnown = result !== undefined && before !== undefined;
    const usd = isKnown ? Math.max(0, result.total_cost_usd - before) : this.#most;
    const usage = { ...this.#meter.usage, usd };
    if (this.#isOver) return { text: '', finish: 'length', usage };
    if (result !== undefined && LIMITS.has(result.subtype))
      return { text: '', finish: 'length', usage, session: result.session_id };
    if (result?.subtype !== 'success' || result.is_error) {
      const said = result ?? { result: this.#failure ?? '' };
      throw claudeFailure(name, said, this.#error, this.isCharged);
    }
    const finish = FINISH[result.stop_reason ?? ''] ?? 'stop';
    return { text: result.result ?? '', finish, usage, session: result.session_id };
  }

  #take(event: HeardEvent): void {
    if (event.type === 'message_start') this.#meter.begin(event.message.usage);
    else if (event.type === 'message_delta') {
      this.#meter.answer(event.usage);
      const goesOn = event.delta.stop_reason === 'tool_use';
      if (goesOn && this.#meter.tokens + this.#meter.last > this.#tokens) this.#isOver = true;
    } else if (event.delta.text !== undefined) {
      this.#length += event.delta.text.length;
      if (this.#length > MAX_TEXT) this.#isOver = true;
      this.#onText?.(event.delta.text);
    }
  }
}

type HeardEvent = Extract<ReturnType<typeof ClaudeMessage.parse>, { type: 'stream_event' }>['event'];

/** Ended by one of our limits: the session exists, and can be asked for an answer from what it knows. */
const LIMITS: ReadonlySet<string> = new Set(['error_max_turns', 'error_max_budget_usd']);

const FINISH: Readonly<Record<string, ModelAnswer['finish']>> = { max_tokens: 'length', refusal: 'refused' };

/** Adds up what the requests of one question used, as they are answered. */
class UsageMeter {
  #prompt = 0;
  #cached = 0;
  #written = 0;
  #completion = 0;
  #lastPrompt = 0;
  #lastCompletion = 0;

  /** Tells whether anything was answered, so that it may cost something. */
  get isUsed(): boolean {
    return this.#prompt > 0;
  }

  get tokens(): number {
    return this.#prompt + this.#completion;
  }

  /** Tokens of the last request and its answer, which the next one sends again. */
  get last(): number {
    return this.#lastPrompt + this.#lastCompletion;
  }

  get usage(): Usage {
    return { prompt: this.#prompt, cached: this.#cached, written: this.#written, completion: this.#completion };
  }

  /** A request's answer begins. */
  begin(usage: WireUsage): void {
    const cached = usage.cache_read_input_tokens ?? 0;
    const written = usage.cache_creation_input_tokens ?? 0;
    this.#lastPrompt = (usage.input_tokens ?? 0) + cached + written;
    this.#prompt += this.#lastPrompt;
    this.#cached += cached;
    this.#written += written;
    this.#lastCompletion = 0;
    this.answer(usage);
  }

  /** The current length of the answer: the count grows as it arrives. */
  answer({ output_tokens }: WireUsage): void {
    const now = Math.max(this.#lastCompletion, output_tokens ?? 0);
    this.#completion += now - this.#lastCompletion;
    this.#lastCompletion = now;
  }
}

const REASONS: Readonly<Record<string, Reason>> = {
  authentication_failed: 'key-refused',
  oauth_org_not_allowed: 'key-refused',
  account_on_hold: 'key-refused',
  verification_required: 'key-refused',
  cloud_credential_error: 'key-refused',
  billing_error: 'quota-exceeded',
  rate_limit: 'rate-limited',
  overloaded: 'server-error',
  server_error: 'server-error',
  invalid_request: 'bad-request',
  model_not_found: 'unknown-model',
};

const BY_STATUS: Readonly<Record<number, Reason>> = {
  400: 'bad-request',
  401: 'key-refused',
  402: 'quota-exceeded',
  403: 'key-refused',
  404: 'unknown-model',
  413: 'bad-request',
  429: 'rate-limited',
};

const ADVICE: Partial<Record<Reason, Message>> = {
  'key-refused': say.signIn(),
  'unknown-model': say.claudeName(),
};

/**
 * Why an agent has no answer, as one of our errors.
 * @param error the SDK's text in place of an answer
 * @param isCharged whether anything was answered before
 */
function claudeFailure(
  name: string,
  result: Pick<Result, 'result' | 'errors' | 'api_error_status'>,
  error: string | undefined,
  isCharged: boolean,
): ThoughtTreeError {
  const words = oneLine(result.result || result.errors?.join(' ') || '', 500);
  if (/No conversation found with session ID/i.test(words))
    return new ThoughtTreeError('not-found', foreign({ text: words }));
  const reason = reasonOf(result.api_error_status ?? undefined, error, words);
  const advice = ADVICE[reason];
  const who = { agent: name, said: words || say.noAnswer() };
  const what = advice ? say.agentSaidAdvice({ ...who, advice }) : say.agentSaid(who);
  return new ThoughtTreeError(reason, what, { charged: isCharged });
}

function reasonOf(status: number | undefined, error: string | undefined, said: string): Reason {
  const named = error === undefined ? undefined : REASONS[error];
  if (status !== undefined) return BY_STATUS[status] ?? named ?? 'server-error';
  if (/ECONNREFUSED|ENOTFOUND|EAI_AGAIN|unable to connect|connection error|fetch failed/i.test(said))
    return 'unreachable';
  if (/not logged in|run \/login|invalid api key/i.test(said)) return 'key-refused';
  return named ?? 'server-error';
}

/** Bytes at the end of a session's file that contain its costs. */
const TAIL = 256 * 1024;

const CostState = z.looseObject({ type: z.literal('cost-state'), totalCostUSD: z.number().nonnegative() });

export interface FoundSession {
  /** Its cost so far in US dollars, including everything it was forked from; undefined if its file does not say. */
  readonly usd: number | undefined;
}

/**
 * Finds the file of a session in the place where Claude Code keeps those of a folder.
 * @param env the environment of its process
 * @returns undefined if it is not there
 */
export async function findSession(
  id: string,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<FoundSession | undefined> {
  if (!SessionId.safeParse(id).success) return undefined; // ids come from files, and so may come from a clone
  try {
    const home = env['CLAUDE_CONFIG_DIR'] ?? join(env['HOME'] ?? homedir(), '.claude');
    const name = (await realpath(folder)).replace(/[^a-zA-Z0-9]/g, '-');
    return { usd: lastCost(await readTail(join(home, 'projects', name, `${id}.jsonl`))) };
  } catch {
    return undefined; // missing or unreadable
  }
}

async function readTail(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const length = Math.min(size, TAIL);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function lastCost(text: string): number | undefined {
  const line = text.split('\n').findLast((each) => each.includes('"cost-state"'));
  if (line === undefined) return undefined;
  try {
    return CostState.parse(JSON.parse(line)).totalCostUSD;
  } catch {
    return undefined;
  }
}

// The SDK's messages that are read. Other types and fields are ignored: newer versions add some.

const tokens = z.number().int().nonnegative();

/** Tokens as the Messages API counts them: those read from or written to the cache are not in `input_tokens`. */
const WireUsage = z.looseObject({
  input_tokens: tokens.nullish(),
  cache_read_input_tokens: tokens.nullish(),
  cache_creation_input_tokens: tokens.nullish(),
  output_tokens: tokens.nullish(),
});
type WireUsage = z.infer<typeof WireUsage>;

const StreamEvent = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('message_start'), message: z.looseObject({ usage: WireUsage }) }),
  z.looseObject({
    type: z.literal('message_delta'),
    delta: z.looseObject({ stop_reason: z.string().nullish() }),
    usage: WireUsage,
  }),
  z.looseObject({
    type: z.literal('content_block_delta'),
    delta: z.looseObject({ type: z.string(), text: z.string().optional() }),
  }),
]);

/** Ids of sessions become the names of files. */
const SessionId = z.uuid();

const PartialMessage = z.looseObject({ type: z.literal('stream_event'), event: StreamEvent });

/** An answer of the model, or its replacement if the server failed. */
const SaidMessage = z.looseObject({ type: z.literal('assistant'), error: z.string().optional() });

const Result = z.looseObject({
  type: z.literal('result'),
  subtype: z.string(),
  is_error: z.boolean().optional(),
  api_error_status: z.number().nullish(),
  session_id: SessionId,
  result: z.string().optional(),
  stop_reason: z.string().nullish(),
  total_cost_usd: z.number().nonnegative(),
  errors: z.array(z.string()).optional(),
});
type Result = z.infer<typeof Result>;

/** One message of the SDK that is of interest. */
const ClaudeMessage = z.union([PartialMessage, SaidMessage, Result]);
