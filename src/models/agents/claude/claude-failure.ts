import { foreign, type Message } from '../../../core/messages/message.ts';
import { type Reason, ThoughtTreeError } from '../../../core/search/errors.ts';
import { oneLine } from '../../../core/text/text.ts';
import * as say from '../../messages.ts';
import type { Result } from './claude-messages.ts';

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
export function claudeFailure(
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
