import http from 'node:http';
import https from 'node:https';
import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** The errors with which a connection that was kept open ends where its server had closed it meanwhile. */
const CLOSED = new Set(['ECONNRESET', 'EPIPE']);
/** The statuses of responses without a body. */
const EMPTY = new Set([204, 205, 304]);
/** Some gateways compress what they send without being asked to. */
const DECODERS = new Map([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/**
 * A `fetch` that waits for the first byte as long as its signal allows: Node's own gives up after five minutes, and a large
 * model on a slow disk takes longer to load. Follows no redirects. Where a connection that was used before ends before the
 * first byte, its server had closed it: the request is sent once more, on a new one.
 */
export const send: typeof fetch = async (input, init = {}) => {
  const url = new URL(input instanceof Request ? input.url : input);
  const response = (await carried(url, init)) ?? (await carried(url, init, freshAgent(url)));
  return response as Response; // a new connection was not used before
};

/** Returns undefined if the connection was used before, and had been closed. */
function carried(url: URL, init: RequestInit, agent?: http.Agent): Promise<Response | undefined> {
  const { method = 'GET', headers, body, signal } = init;
  const options = {
    method,
    headers: { accept: '*/*', 'user-agent': 'thought-tree', ...Object.fromEntries(new Headers(headers)) },
    ...(signal ? { signal } : {}),
    ...(agent ? { agent } : {}),
  };
  return new Promise((resolve, reject) => {
    const request = (isSecure(url) ? https : http).request(url, options, (message) => resolve(responseOf(message)));
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = request.reusedSocket && CLOSED.has(error.code ?? '') && !signal?.aborted;
      if (isStale) resolve(undefined);
      else reject(error);
    });
    // Also where a server changed to another protocol instead of an answer.
    request.on('close', () => reject(Object.assign(new Error('no answer came'), { code: 'ECONNRESET' })));
    request.end(typeof body === 'string' ? body : undefined);
  });
}

function responseOf(message: http.IncomingMessage): Response {
  const { statusCode = 500 } = message;
  // A response cannot have another one.
  const status = statusCode >= 200 && statusCode <= 599 ? statusCode : 500;
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) headers.set(name, String(value));
  if (EMPTY.has(status)) {
    message.resume();
    return new Response(null, { status, headers });
  }
  const body = Readable.toWeb(decoded(message)) as ReadableStream<Uint8Array>;
  return new Response(body, { status, headers });
}

function decoded(message: http.IncomingMessage): Readable {
  const decoder = DECODERS.get(message.headers['content-encoding']?.trim().toLowerCase() ?? '')?.();
  if (!decoder) return message;
  // Who reads the decoder is told of failures.
  pipeline(message, decoder, () => undefined);
  return decoder;
}

/** Opens a connection for one request, through the same proxy as others. */
function freshAgent(url: URL): http.Agent {
  const { Agent, globalAgent } = isSecure(url) ? https : http;
  const { options } = globalAgent as { readonly options?: http.AgentOptions };
  return new Agent({ ...options, keepAlive: false });
}

function isSecure({ protocol }: URL): boolean {
  return protocol === 'https:';
}
