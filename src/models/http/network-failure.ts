import { ThoughtTreeError } from '../../core/search/errors.ts';
import { foreignText } from './foreign-text.ts';
import { nameOf, type Server } from './server.ts';
import { withAdvice } from './server-failure.ts';

/** A connection that ended after it stood: the request may have been read, and may cost something. */
const MAYBE_SENT = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
const TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** Why the connection broke in the middle of an answer. */
export function brokenOff(server: Server, error: unknown): ThoughtTreeError {
  const { code, message } = rootOf(error);
  if (TIMEOUTS.has(code)) return silent(server);
  const text = `The answer of ${server.model} broke off before its end (${foreignText(message || code, server.apiKey)})`;
  return new ThoughtTreeError('cut-off', withAdvice(text), { charged: true });
}

/** Why no answer began. */
export function notReached(server: Server, error: unknown): ThoughtTreeError {
  const { code, message } = rootOf(error);
  if (TIMEOUTS.has(code)) return silent(server);
  if (MAYBE_SENT.has(code)) return brokenOff(server, error);
  const why = foreignText(message || code, server.apiKey);
  const advice = 'Check that the server runs, its address, and the network.';
  return new ThoughtTreeError('unreachable', withAdvice(`${nameOf(server)} cannot be reached (${why})`, advice), {
    charged: false,
  });
}

/** The error for an answer that passes any sensible size. */
export function tooLong(server: Server): ThoughtTreeError {
  const text = `The answer of ${server.model} was longer than anything useful, and was stopped`;
  return new ThoughtTreeError('bad-answer', withAdvice(text, 'Try again, or choose another model.'), { charged: true });
}

/** The error for an answer that did not end within its time. */
export function tooLate(server: Server, timeoutMs: number): ThoughtTreeError {
  const text = `${server.model} at ${nameOf(server)} did not end its answer within ${timeoutMs / 1000} s`;
  return new ThoughtTreeError('timed-out', withAdvice(text, 'Try again, or allow more time with --timeout.'), {
    charged: true,
  });
}

function silent(server: Server): ThoughtTreeError {
  const text = `${server.model} at ${nameOf(server)} sent nothing for five minutes`;
  return new ThoughtTreeError('timed-out', withAdvice(text), { charged: true });
}

/** The innermost error that says something: fetch wraps the network's error in one that does not. */
function rootOf(error: unknown): { code: string; message: string } {
  let found = { code: '', message: '' };
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    const code = 'code' in at && typeof at.code === 'string' ? at.code : '';
    if (code !== '' || found.code === '') found = { code, message: at.message };
  }
  return found;
}
