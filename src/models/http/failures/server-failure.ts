import * as z from 'zod';
import type { Entry, Message } from '../../../core/messages/message.ts';
import { type Reason, ThoughtTreeError } from '../../../core/search/errors.ts';
import * as say from '../../messages.ts';
import { type Advice, nameOf, type Refused, type Server } from '../server.ts';
import { contextToldIn, isTooLong } from './context-failure.ts';
import { foreignText } from './foreign-text.ts';

/** A failure that a server reported, by a status or among the events of an answer. */
export interface ReportedFailure {
  /** Missing if the failure came within an answer. */
  readonly status?: number;
  /** That nothing else came: it is no part of an answer. */
  readonly isWhole?: boolean;
  /** The body, or the error object, as received: parsed if it was JSON. */
  readonly body: unknown;
  readonly retryAfterMs?: number | undefined;
  /** The body of the request that it answers, if that may be sent in another form. */
  readonly sent?: string | undefined;
}

/** The usual advice, by reason, unless the server's own is better. */
const ADVICE: Advice = {
  'rate-limited': say.waitALittle(),
  'quota-exceeded': say.addCredit(),
  'unknown-model': say.checkName(),
  'bad-request': say.checkRequest(),
  'server-error': say.tryLater(),
};
/** Statuses of a request that is not carried out as it is; llama.cpp has another one for it. */
const NOT_AS_IT_IS = new Set([400, 404, 405, 422, 500, 501]);
/** The field that a refusal names, and its words: "does not support tools", "tools param requires --jinja flag". */
const TOOLS = /\b(?:tools?|tool_choice|functions?|function_call)\b/i;
const SCHEMA =
  /response_?format|json[ _]?schema|guided.(?:decoding|json)|text\.format|output_(?:config|format)|response_?(?:json_?)?schema|structured.?outputs?|grammar|additionalProperties/i;
const NOT_TAKEN =
  /support|available|endpoint|requires?\b|permit|allow|unknown|unrecogni|unexpected|extra|enable|implement|invalid/i;

const HAPPENED: Partial<Record<Reason, Entry<{ model: string; server: string; where: Message }>>> = {
  'rate-limited': say.rateLimited,
  'quota-exceeded': say.quotaExceeded,
  'key-refused': say.keyRefused,
  'unknown-model': say.unknownModel,
  'bad-request': say.requestRefused,
};

/** The parts of a request that can be sent in another form, and the words of refusals about them. */
const OTHERWISE: readonly (readonly [Refused, RegExp])[] = [
  ['max_tokens', /\bmax_tokens\b/i],
  [
    'system',
    /\bsystem (?:role|message|prompt|instruction)|(?:role|support)\S{0,4} ['"]?system\b|developer instruction|roles must alternate|only user and assistant roles/i,
  ],
];
/** The words of servers about an address that is none of theirs, also with another status. */
const NO_SUCH_PLACE = /(?:unexpected|unknown|invalid|no such) (?:endpoint|route|path|url)|cannot (?:get|post) \//i;

/** A gateway that gave up waiting: the model behind it may have answered all the same. */
const GAVE_UP = new Set([502, 504, 524]);

/** A reported failure as one of our errors. It cost nothing if it came instead of an answer, and not from a gateway. */
export function serverFailure(server: Server, failure: ReportedFailure): ThoughtTreeError {
  const words = wordsOf(failure.body);
  const codes = [...words.codes, ...detailsOf(failure.body)];
  const tooLong = isTooLong(failure.status, codes, words.message);
  const reason = tooLong ? 'bad-request' : reasonOf(failure.status, codes, words.message);
  const otherwise = asksOtherwise(server, failure);
  const where = failure.status === undefined ? say.withinAnswer() : say.status({ status: failure.status });
  const what = (HAPPENED[reason] ?? say.failed)({ model: server.model, server: nameOf(server), where });
  const said = foreignText(words.message, server.apiKey);
  const usual = tooLong ? say.conversationTooLong() : adviceFor(server, reason);
  const advice = otherwise ? say.askedOtherwise() : usual;
  return new ThoughtTreeError(reason, withAdvice(what, advice, said), {
    charged: gaveUp(failure, codes) || (failure.status === undefined && failure.isWhole !== true),
    ...(tooLong ? { isTooLong: true, contextTokens: contextToldIn(failure.body, words.message) } : {}),
    ...(otherwise ? { asksOtherwise: true } : {}),
    ...(!tooLong && isRefused(failure, words.message, TOOLS) ? { refusesTools: true } : {}),
    ...(!tooLong && isRefused(failure, words.message, SCHEMA) ? { refusesSchema: true } : {}),
    ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
  });
}

/** Tells whether a gateway gave up, also where it says so within an answer. */
function gaveUp({ status }: ReportedFailure, codes: readonly string[]): boolean {
  return (status === undefined ? codes.map(Number) : [status]).some((code) => GAVE_UP.has(code));
}

/** Tells whether a failure says that a part of a request is wrong. Some name the field only beside what they say. */
function isRefused({ status, body }: ReportedFailure, message: string, part: RegExp): boolean {
  if (status !== undefined && !NOT_AS_IT_IS.has(status)) return false;
  const all = allOf(body, message);
  return part.test(all) && NOT_TAKEN.test(all);
}

function allOf(body: unknown, message: string): string {
  const said = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  return `${message} ${said}`.slice(0, 4000);
}

/** Tells whether a refused request will be sent in another form from now on. */
function asksOtherwise({ otherwise }: Server, { status, body, sent }: ReportedFailure): boolean {
  if (!otherwise || sent === undefined || status === undefined || !NOT_AS_IT_IS.has(status)) return false;
  const { codes, message } = wordsOf(body);
  const all = allOf(body, message);
  if (isTooLong(status, codes, message) || !(NOT_TAKEN.test(all) || /instead|alternate/i.test(all))) return false;
  // Fields are named beside what is said, roles within it.
  const refused = OTHERWISE.find(([part, named]) => named.test(part === 'system' ? message : all))?.[0];
  return refused !== undefined && otherwise(refused, sent);
}

function adviceFor(server: Server, reason: Reason): Message | undefined {
  if (reason === 'key-refused') return say.setKey({ variable: server.keyVariable });
  return server.advice?.[reason] ?? ADVICE[reason];
}

/** Says what happened, what the server said, and what to do about it. */
export function withAdvice(what: Message, advice = say.tryLater(), said = ''): Message {
  if (said === '') return say.happened({ what, advice });
  return say.happenedSaying({ what, said: /[.!?…]$/.test(said) ? said : `${said}.`, advice });
}

function reasonOf(status: number | undefined, codes: readonly string[], message: string): Reason {
  // A failure within an answer often carries the status as its code.
  const number = status ?? codes.map(Number).find((code) => code >= 400 && code < 600);
  const has = (pattern: RegExp) => codes.some((code) => pattern.test(code));
  // Rate limits are often worded like an exhausted quota, or name the page where to pay.
  const quotaInWords = /insufficient.{0,3}(quota|credit|fund|balance)|billing|out of credits|usage limit/i.test(
    message,
  );
  const momentary = has(/resource_exhausted|rate_limit/i);
  if (number === 402 || has(/insufficient_quota|billing|per_?day/i)) return 'quota-exceeded';
  if (number !== undefined && /credit balance is too low|credits are depleted/i.test(message)) return 'quota-exceeded';
  if ((number === 429 || number === 403) && quotaInWords && !momentary) return 'quota-exceeded';
  if (number === 429 || (number === undefined && momentary)) return 'rate-limited';
  if (NO_SUCH_PLACE.test(message) && (number === undefined || number < 500)) return 'unknown-model';
  if (number === 408 || (number !== undefined && number >= 500)) return 'server-error';
  if (number === 404 || has(/model_not_found|unknown_model|not_found_error/i)) return 'unknown-model';
  if (
    number !== undefined &&
    /invalid model name|\bmodel\b.{0,120}\b(not found|does not exist|not exist|unknown)\b/is.test(message)
  )
    return 'unknown-model';
  if (number === 401 || number === 403 || has(/api_key|authentication|permission/i)) return 'key-refused';
  // Neither of them means that the request was wrong.
  if (number === 409 || number === 425) return 'server-error';
  if (number !== undefined || has(/invalid_request|context_length/i)) return 'bad-request';
  return 'server-error';
}

/** The message and the codes of an error body; every server has its own format. */
function wordsOf(body: unknown, depth = 0): { message: string; codes: string[] } {
  if (typeof body === 'string') return { message: body, codes: [] };
  if (typeof body !== 'object' || body === null || depth > 4) return { message: '', codes: [] };
  if (Array.isArray(body)) return wordsOf(body[0], depth + 1);
  const fields = new Map<string, unknown>(Object.entries(body));
  const codes = ['code', 'type', 'status', 'statusCode']
    .map((key) => fields.get(key))
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String);
  let message = '';
  for (const key of ['error', 'message', 'detail', 'msg', 'response']) {
    const inner = wordsOf(fields.get(key), depth + 1);
    codes.push(...inner.codes);
    message ||= inner.message;
  }
  return { message, codes };
}

const Details = z.object({
  error: z.object({
    details: z.array(
      z
        .object({ reason: z.string(), violations: z.array(z.object({ quotaId: z.string() }).partial()) })
        .partial()
        .catch({}),
    ),
  }),
});

/** Returns what Google's error bodies say in addition to their status, such as `API_KEY_INVALID` or a quota's id. */
function detailsOf(body: unknown): string[] {
  const { data } = Details.safeParse(Array.isArray(body) ? body[0] : body);
  const details = data?.error.details ?? [];
  const quotas = details.flatMap(({ violations }) => violations ?? []);
  return [...details.map(({ reason }) => reason), ...quotas.map(({ quotaId }) => quotaId)].filter(
    (code) => code !== undefined,
  );
}
