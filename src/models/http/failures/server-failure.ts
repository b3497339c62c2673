import * as z from 'zod';
import type { Entry, Message } from '../../../core/messages/message.ts';
import { type Reason, ThoughtTreeError } from '../../../core/search/errors.ts';
import * as say from '../../messages.ts';
import { type Advice, nameOf, type Server } from '../server.ts';
import { foreignText } from './foreign-text.ts';

/** A failure that a server reported, by a status or among the events of an answer. */
export interface ReportedFailure {
  /** Missing if the failure came within an answer. */
  readonly status?: number;
  /** The body, or the error object, as received: parsed if it was JSON. */
  readonly body: unknown;
  readonly retryAfterMs?: number | undefined;
}

/** What to do about it, by reason, unless the server's own advice is better. */
const ADVICE: Advice = {
  'rate-limited': say.waitALittle(),
  'quota-exceeded': say.addCredit(),
  'unknown-model': say.checkName(),
  'bad-request': say.checkRequest(),
  'server-error': say.tryLater(),
};
const TOO_LONG =
  /too long|context.{0,3}(length|window|size)|maximum context|input token count|max_(completion_|output_)?tokens.{0,30}too (large|high)/i;

const HAPPENED: Partial<Record<Reason, Entry<{ model: string; server: string; where: Message }>>> = {
  'rate-limited': say.rateLimited,
  'quota-exceeded': say.quotaExceeded,
  'key-refused': say.keyRefused,
  'unknown-model': say.unknownModel,
  'bad-request': say.requestRefused,
};

/** A gateway that gave up waiting: the model behind it may have answered all the same. */
const GAVE_UP = new Set([502, 504, 524]);

/** A reported failure as one of our errors. It cost nothing if it came instead of an answer, and not from a gateway. */
export function serverFailure(server: Server, failure: ReportedFailure): ThoughtTreeError {
  const words = wordsOf(failure.body);
  const reason = reasonOf(failure.status, [...words.codes, ...detailsOf(failure.body)], words.message);
  const where = failure.status === undefined ? say.withinAnswer() : say.status({ status: failure.status });
  const what = (HAPPENED[reason] ?? say.failed)({ model: server.model, server: nameOf(server), where });
  const said = foreignText(words.message, server.apiKey);
  return new ThoughtTreeError(reason, withAdvice(what, adviceFor(server, reason, words.message), said), {
    charged: failure.status === undefined || GAVE_UP.has(failure.status),
    ...(reason === 'bad-request' && TOO_LONG.test(words.message) ? { isTooLong: true } : {}),
    ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
  });
}

function adviceFor(server: Server, reason: Reason, message: string): Message | undefined {
  if (reason === 'key-refused') return say.setKey({ variable: server.keyVariable });
  if (reason === 'bad-request' && TOO_LONG.test(message)) return say.conversationTooLong();
  return server.advice?.[reason] ?? ADVICE[reason];
}

/** What happened, what the server said, and what to do about it. */
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

/** What Google's error bodies say in addition to their status, such as `API_KEY_INVALID` or a quota's id. */
function detailsOf(body: unknown): string[] {
  const { data } = Details.safeParse(Array.isArray(body) ? body[0] : body);
  const details = data?.error.details ?? [];
  const quotas = details.flatMap(({ violations }) => violations ?? []);
  return [...details.map(({ reason }) => reason), ...quotas.map(({ quotaId }) => quotaId)].filter(
    (code) => code !== undefined,
  );
}
