import * as z from 'zod';
import type { Arg, Entry, Message } from '../../core/messages/message.ts';
import { type Reason, ThoughtTreeError } from '../../core/search/errors.ts';
import { isRecord, isTooDeep } from '../../core/text/loose-json.ts';
import { foreignText } from '../keys.ts';
import * as say from '../messages.ts';
import { proxyFor } from './send.ts';
import { type Advice, nameOf, type Refused, type Server } from './server.ts';

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

/**
 * Returns a reported failure as one of our errors. It cost nothing if it came instead of an answer, and not from a
 * gateway.
 */
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
  const said = typeof body === 'string' ? body : jsonOf(body);
  return `${message} ${said}`.slice(0, 4000);
}

/** Returns a value that a server sent as JSON; empty where it is nested too deeply to be written. */
function jsonOf(value: unknown): string {
  return isTooDeep(value) ? '' : (JSON.stringify(value) ?? '');
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

/** The most levels of an error body below which nothing is looked for. */
const DEEPEST = 4;

/** Returns the message and the codes of an error body; every server has its own format. */
function wordsOf(body: unknown, depth = 0): { message: string; codes: string[] } {
  if (typeof body === 'string') return { message: body, codes: [] };
  if (typeof body !== 'object' || body === null || depth > DEEPEST) return { message: '', codes: [] };
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

/** The connection was established before it ended: the request may have been read, and may cost something. */
const MAYBE_SENT = new Set(['ECONNRESET', 'EPIPE']);

/** Says why the connection broke in the middle of an answer. */
export function brokenOff(server: Server, error: unknown): ThoughtTreeError {
  const { code, message } = rootOf(error);
  return endedEarly(server, foreignText(message || code, server.apiKey));
}

/** The error for an incomplete answer. */
export function endedEarly({ model }: Server, why: Arg): ThoughtTreeError {
  return new ThoughtTreeError('cut-off', withAdvice(say.brokenOff({ model, why })), { charged: true });
}

/** Says why no answer began. */
export function notReached(server: Server, error: unknown): ThoughtTreeError {
  const { code, message } = rootOf(error);
  if (MAYBE_SENT.has(code)) return brokenOff(server, error);
  const why = foreignText(message || code, server.apiKey);
  const what = say.unreachable({ server: nameOf(server), why });
  return new ThoughtTreeError('unreachable', withAdvice(what, adviceOn(server, code)), { charged: false });
}

/** Advises to look at the certificate that was not trusted, the proxy that the environment names, or the server. */
function adviceOn({ url }: Server, code: string): Message {
  if (/CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)/.test(code)) return say.trustCertificate();
  const proxy = proxyFor(url);
  if (!proxy) return say.checkServer();
  const { host, variable } = proxy;
  return proxy.isUsed ? say.checkProxy({ host, variable }) : say.proxyNotUsed({ host, variable });
}

/** Returns the error for an answer that goes on after its limit. */
export function tooLong(server: Server): ThoughtTreeError {
  const what = say.answerTooLong({ model: server.model });
  return new ThoughtTreeError('bad-answer', withAdvice(what, say.tryAnother()), { charged: true, doubts: ['endless'] });
}

/** Returns the error for an answer of which nothing can be read: asked again, its server says the same. */
export function unknownEvent(server: Server, event: unknown): ThoughtTreeError {
  const said = foreignText(jsonOf(event), server.apiKey);
  const what = say.unknownEvent({ model: server.model, server: nameOf(server) });
  return new ThoughtTreeError('bad-answer', withAdvice(what, say.tryAnother(), said), { charged: true });
}

/** The error for an answer that did not end in time. */
export function tooLate(server: Server, timeoutMs: number): ThoughtTreeError {
  const what = say.tooLate({ model: server.model, server: nameOf(server), seconds: timeoutMs / 1000 });
  return new ThoughtTreeError('timed-out', withAdvice(what, say.allowMoreTime()), { charged: true });
}

/** Returns the innermost error with information: the libraries wrap the network's error in one without. */
function rootOf(error: unknown): { code: string; message: string } {
  let found = { code: '', message: '' };
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    const code = 'code' in at && typeof at.code === 'string' ? at.code : '';
    if (code !== '' || found.code === '') found = { code, message: at.message };
  }
  return found;
}

/** The words of servers where prompt and answer are too long together. */
const TOO_LONG =
  /(?<!took )too (?:long|large)|(?:context|prompt).{0,3}(?:length|window|size|shift|limit|overflow)|maximum context|contextwindow|input token count|max_(?:completion_|output_|new_)?tokens.{0,40}(?:too (?:large|high)|must be)|exceed.{0,40}(?:tokens?\b|length|context|limit of \d)|longer than|reduce (?:the length|your)/i;
const TOO_LONG_CODES = /context_(?:length|size|window)|max_prompt_tokens|tokens_exceeded|string_above_max/i;
/** Statuses of a request that is refused as it is; a server that is busy says 429, and of a request that never fits as well. */
const REFUSING = new Set([400, 413, 422, 500]);

/** Tells whether a failure says that prompt and answer together are too long for a model. */
function isTooLong(status: number | undefined, codes: readonly string[], message: string): boolean {
  if (status === 413 || (status === 429 && /request too large/i.test(message))) return true;
  if (status !== undefined && !REFUSING.has(status)) return false;
  return codes.some((code) => TOO_LONG_CODES.test(code)) || TOO_LONG.test(message);
}

/** Where a server says what its model holds, the surest first. */
const LENGTH_TOLD: readonly RegExp[] = [
  // A number alone in brackets is a code.
  /(?:context|prompt) (?:length|window|size)[^\d.]{0,25}(\d[\d,]{2,12})(?![\d,)])/i,
  /(?:>|<=|at most|allowed)[^\d.]{0,3}(\d[\d,]{2,12})/i,
  /\b(\d[\d,]{2,12}) (?:tokens? )?maximum/i,
  /limit[^\d.]{0,5}(\d[\d,]{2,12})(?![\d,)])/i,
];
const LENGTH_RANGE = { least: 256, most: 100_000_000 };

/** The longest prompt plus answer of which a refusal tells, in tokens; undefined if it tells of none. */
function contextToldIn(body: unknown, message: string): number | undefined {
  if (/^\s*</.test(message)) return undefined; // a page of some gateway
  const numbers = [
    contextSizeIn(body),
    ...LENGTH_TOLD.map((told) => Number(told.exec(message)?.[1]?.replaceAll(',', ''))),
  ];
  return numbers.find((tokens) => tokens >= LENGTH_RANGE.least && tokens <= LENGTH_RANGE.most);
}

/** As llama.cpp tells it. */
function contextSizeIn(body: unknown, depth = 0): number {
  if (!isRecord(body) || depth > DEEPEST) return Number.NaN;
  return body['n_ctx'] === undefined ? contextSizeIn(body['error'], depth + 1) : Number(body['n_ctx']);
}
