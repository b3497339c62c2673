import { toThoughtTreeError } from '../../core/search/errors.ts';
import { guardedFetch } from './guarded-fetch.ts';
import type { Server } from './server.ts';
import { timedCall } from './timed-call.ts';

const FORM = { type: 'application/json', asStream: (body: unknown) => JSON.stringify(body) };

export interface JsonQuestion {
  /** The part that follows the server's URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent by POST if there is one. */
  readonly body?: object;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks a server for a JSON document.
 *
 * @throws ThoughtTreeError as a model's request would
 */
export async function askJson(server: Server, question: JsonQuestion): Promise<unknown> {
  const { path, headers, body, timeoutMs, signal = new AbortController().signal } = question;
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const ask = async (stop: AbortSignal): Promise<unknown> => {
    const response = await guardedFetch(server, FORM)(`${server.url}${path}`, { ...init, headers, signal: stop });
    return await response.json();
  };
  return await timedCall(server, { timeoutMs }, { signal }, ask, toThoughtTreeError);
}
