import type { Arg, Message } from '../../../core/messages/message.ts';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import * as say from '../../messages.ts';
import { proxyFor } from '../proxies.ts';
import { nameOf, type Server } from '../server.ts';
import { foreignText } from './foreign-text.ts';
import { withAdvice } from './server-failure.ts';

/** The connection was established before it ended: the request may have been read, and may cost something. */
const MAYBE_SENT = new Set(['ECONNRESET', 'EPIPE']);

/** Why the connection broke in the middle of an answer. */
export function brokenOff(server: Server, error: unknown): ThoughtTreeError {
  const { code, message } = rootOf(error);
  return endedEarly(server, foreignText(message || code, server.apiKey));
}

/** The error for an incomplete answer. */
export function endedEarly({ model }: Server, why: Arg): ThoughtTreeError {
  return new ThoughtTreeError('cut-off', withAdvice(say.brokenOff({ model, why })), { charged: true });
}

/** Why no answer began. */
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

/** The error for an answer that goes on after its limit. */
export function tooLong(server: Server): ThoughtTreeError {
  const what = say.answerTooLong({ model: server.model });
  return new ThoughtTreeError('bad-answer', withAdvice(what, say.tryAnother()), { charged: true, doubts: ['endless'] });
}

/** The error for an answer of which nothing can be read: asked again, its server says the same. */
export function unknownEvent(server: Server, event: unknown): ThoughtTreeError {
  const said = foreignText(JSON.stringify(event) ?? '', server.apiKey);
  const what = say.unknownEvent({ model: server.model, server: nameOf(server) });
  return new ThoughtTreeError('bad-answer', withAdvice(what, say.tryAnother(), said), { charged: true });
}

/** The error for an answer that did not end in time. */
export function tooLate(server: Server, timeoutMs: number): ThoughtTreeError {
  const what = say.tooLate({ model: server.model, server: nameOf(server), seconds: timeoutMs / 1000 });
  return new ThoughtTreeError('timed-out', withAdvice(what, say.allowMoreTime()), { charged: true });
}

/** The innermost error with information: the libraries wrap the network's error in one without. */
function rootOf(error: unknown): { code: string; message: string } {
  let found = { code: '', message: '' };
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    const code = 'code' in at && typeof at.code === 'string' ? at.code : '';
    if (code !== '' || found.code === '') found = { code, message: at.message };
  }
  return found;
}
