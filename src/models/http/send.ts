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

type Variables = Readonly<Record<string, string | undefined>>;

const LOOPBACK = ['localhost', '127.0.0.1', '0.0.0.0', '::1', '[::1]'];

/** Lets the requests of this process go through the proxies that its environment names, but never those to itself. */
export function useProxies(env: Variables = process.env): void {
  // A name stands for all below it, as in other programs; Node takes it to the letter.
  const below = exceptionsOf(env).flatMap((each) => (/^[*.]/.test(each) ? [each] : [each, `.${each}`]));
  const noProxy = [...below, ...LOOPBACK].join(',');
  const named = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'].some((name) => env[name]);
  if (!named || !takesProxies()) return;
  // The rest is as in Node's own.
  const options = { keepAlive: true, timeout: 5000, proxyEnv: { ...env, no_proxy: noProxy } };
  try {
    http.globalAgent = new http.Agent(options);
    https.globalAgent = new https.Agent(options);
  } catch {
    // An address that is none: the first request says that its server is not reached, and names it.
  }
}

/** Tells whether a version of Node has agents that use proxies: older ones pass over what they are told of them. */
export function takesProxies(version = process.versions.node): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
}

/** A proxy that the environment names for an address. */
export interface Proxy {
  /** Its host, without the user and the password that may stand before it. */
  readonly host: string;
  readonly variable: string;
  /** True if this version of Node can use it. */
  readonly isUsed: boolean;
}

/** Returns the proxy through which requests to an address go, or should; undefined if they go there by themselves. */
export function proxyFor(address: string, env: Variables = process.env): Proxy | undefined {
  const url = URL.parse(address);
  if (!url || LOOPBACK.includes(url.hostname)) return undefined;
  if (exceptionsOf(env).some((exception) => isMeant(url, exception))) return undefined;
  const variables = url.protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY'];
  const variable = variables.find((name) => env[name]);
  if (variable === undefined) return undefined;
  const host = URL.parse(env[variable] ?? '')?.host || '?';
  return { host, variable, isUsed: takesProxies() };
}

function exceptionsOf(env: Variables): string[] {
  return (env['no_proxy'] || env['NO_PROXY'] || '').split(/[\s,]+/).filter(Boolean);
}

function isMeant({ hostname, protocol, port }: URL, exception: string): boolean {
  const name = exception.replace(/^\*?\./, '').toLowerCase();
  const place = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  return exception === '*' || [hostname, place].some((each) => each === name || each.endsWith(`.${name}`));
}
