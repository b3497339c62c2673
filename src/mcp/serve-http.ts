import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpServerFactory,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import { ThoughtTreeError } from '../core/search/errors.ts';
import { documentUri } from './documents/document-uri.ts';
import { cannotListen } from './messages.ts';
import type { TreeProgram } from './tree-program.ts';

/** Only this computer can reach it. */
const LOOPBACK = '127.0.0.1';
const PATH = '/mcp';
/** The largest body of a request, in bytes: more than the largest commit. */
const LARGEST_BODY = 8 * 1024 * 1024;
const STREAM = 'text/event-stream';

type Handler = Pick<ReturnType<typeof createMcpHandler>, 'fetch'>;

/** A server over HTTP. */
export interface HttpServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves agents over HTTP to programs of this computer that know the token. Pages in a browser are refused, as are names of
 * hosts that are not this computer's own.
 * @param build makes a server that does not tell its client of changes: that is done here
 * @param port 0 for any that is free
 * @throws ThoughtTreeError `bad-input` if nothing can be served there
 */
export async function serveHttp(
  build: McpServerFactory,
  program: TreeProgram,
  port: number,
  token: string,
): Promise<HttpServer> {
  const handler = createMcpHandler(build, { maxRequestBodySize: LARGEST_BODY });
  const stop = program.listen(({ search, paths, isListChanged }) => {
    for (const path of paths) handler.notify.resourceUpdated(documentUri(search, path));
    if (isListChanged) handler.notify.resourcesChanged();
  });
  const server = createServer((request, response) => {
    answer(request, response, handler, token).catch(() => response.destroy());
  });
  server.listen(port, LOOPBACK);
  await once(server, 'listening').catch(({ message: why }: Error) => {
    throw new ThoughtTreeError('bad-input', cannotListen({ port: String(port), why }));
  });
  return {
    url: `http://${LOOPBACK}:${(server.address() as AddressInfo).port}${PATH}`,
    async close() {
      stop();
      await handler.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A token that nobody can guess. */
export function newToken(): string {
  return randomBytes(24).toString('hex');
}

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  handler: Handler,
  token: string,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const request = requestFrom(incoming, gone.signal);
  const whole = request ? (refusal(request, token) ?? (await handler.fetch(request))) : plain(400, 'Bad request');
  const takesStream = incoming.method !== 'POST' || incoming.headers.accept?.includes(STREAM);
  const response = takesStream ? whole : await withoutStream(whole);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (!response.body) outgoing.end();
  else await pipeline(Readable.fromWeb(response.body as ReadableStream<Uint8Array>), outgoing);
}

/** Undefined if its address makes no sense. */
function requestFrom(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = 'GET', url = '/', headers } = incoming;
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  // The library refuses calls of clients that do not name both of these; many name one, or none.
  if (method === 'POST') pairs.push(['accept', `application/json, ${STREAM}`]);
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = hasBody ? { body: Readable.toWeb(incoming) as never, duplex: 'half' as const } : {};
  try {
    return new Request(new URL(url, `http://${LOOPBACK}`), { method, headers: pairs, signal, ...body });
  } catch {
    return undefined;
  }
}

/** Returns the last message of a stream, for a client that did not ask for one; any other response as it is. */
async function withoutStream(response: Response): Promise<Response> {
  if (!response.headers.get('content-type')?.startsWith(STREAM)) return response;
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: {'));
  return new Response(lines.at(-1)?.slice('data: '.length), {
    status: response.status,
    headers: { 'content-type': 'application/json' },
  });
}

/** Why a request gets no further; undefined if it may. */
function refusal(request: Request, token: string): Response | undefined {
  const host = hostHeaderValidationResponse(request, localhostAllowedHostnames());
  const origin = originValidationResponse(request, localhostAllowedOrigins());
  if (host ?? origin) return host ?? origin;
  const [, given = ''] = /^Bearer +(\S{1,500})$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (!isSame(given, token)) return plain(401, 'Unauthorized', { 'www-authenticate': 'Bearer' });
  return new URL(request.url).pathname === PATH ? undefined : plain(404, 'Not found');
}

/** Takes the same time whatever is given, so that nothing can be learnt from it. */
function isSame(given: string, token: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}

function plain(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, { status, headers: { 'content-type': 'text/plain', ...headers } });
}
