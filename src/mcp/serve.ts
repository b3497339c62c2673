import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  type JSONRPCMessage,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpServerFactory,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { ThoughtTreeError } from '../core/search/errors.ts';
import type { Kinds } from '../engine/kind.ts';
import { Investigations, type InvestigationsParts, MCP_KINDS } from './investigations.ts';
import { cannotListen } from './messages.ts';
import { APP_RESOURCES, documentUri } from './resources.ts';
import { buildServer, type ServerParts } from './server.ts';
import { TreeProgram, type TreeProgramParts } from './tree-program.ts';

/** The decisions of a person about a server, on its command line. */
export interface ServeRequest extends InvestigationsParts, Omit<TreeProgramParts, 'kinds'> {
  /** The kinds of the command line; those that only agents lead are added. */
  readonly kinds: Kinds;
  readonly isReadOnly: boolean;
  readonly besideWindow?: boolean | undefined;
  /** The port to serve on, on this computer only; over standard streams if undefined. 0 for any. */
  readonly http?: number | undefined;
  /** Tells the person, in one line, what no client hears. */
  readonly tell: (text: string) => void;
}

/** The variable that has the token of a server over HTTP. */
const TOKEN = 'THOUGHT_TREE_MCP_TOKEN';

/**
 * Serves agents until the client goes away, or somebody ends the process. Nothing is written before a tool is called.
 * @returns the folders of the searches that it ran, which are paused now
 */
export async function serveMcp(request: ServeRequest): Promise<string[]> {
  const parts = partsOf(request);
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  if (request.http === undefined) {
    const transport = new AnsweringStdio();
    serveStdio((context) => buildServer(parts, context), { transport });
    await Promise.race([closed, transport.ended()]);
  } else await overHttp(parts, request.http, request.tell, closed);
  return await parts.program.close();
}

async function overHttp(
  parts: ServerParts,
  port: number,
  tell: (text: string) => void,
  closed: Promise<void>,
): Promise<void> {
  const given = process.env[TOKEN]?.trim();
  const token = given || newToken();
  const server = await serveHttp((context) => buildServer(parts, context, false), parts.program, port, token);
  tell(given ? `${server.url} (token: as in ${TOKEN})` : `${server.url} (token: ${token})`);
  await closed;
  await server.close();
}

function partsOf({ kinds, isReadOnly, besideWindow, tell, ...request }: ServeRequest): ServerParts {
  const known = new Set(kinds.map(({ descriptor }) => descriptor.name));
  const all = [...kinds, ...MCP_KINDS.filter(({ descriptor }) => !known.has(descriptor.name))];
  const program = new TreeProgram({ ...request, kinds: all }, tell);
  const investigations = new Investigations(request);
  return { investigations, rules: request, program, apps: APP_RESOURCES, isReadOnly, besideWindow };
}

/** The time that calls may take which were asked before the end of input, in milliseconds. */
const MOST_WAITED_MS = 60_000;
/** The longest message, in bytes. */
const LONGEST_MESSAGE = 10_000_000;
/** The characters that are kept of either end of a longer one: its id is there. */
const KEPT_OF_EITHER_END = 2000;
/** By the JSON-RPC specification. */
const INVALID_REQUEST = -32_600;

/** The id of a message where its writer puts it: before what it asks, or last, with version and method in any order. */
const ID_AT_FIRST =
  /^\s{0,9}\{\s{0,9}(?:"(?:jsonrpc|method)"\s{0,9}:\s{0,9}"[^"\\]{1,200}"\s{0,9},\s{0,9}){0,2}"id"\s{0,9}:\s{0,9}(\d{1,15}|"[^"\\]{1,200}")/;
const ID_AT_LAST =
  /"id"\s{0,9}:\s{0,9}(\d{1,15}|"[^"\\]{1,200}")(?:\s{0,9},\s{0,9}"(?:jsonrpc|method)"\s{0,9}:\s{0,9}"[^"\\]{1,200}"){0,2}\s{0,9}\}\s{0,9}$/;

/**
 * Standard streams whose end of input does not drop what was asked before it, and on which a message that is too long is
 * refused: the library would close them.
 */
class AnsweringStdio extends StdioServerTransport {
  readonly #input: PassThrough;
  readonly #pending = new Set<string | number>();
  #over: (() => void) | undefined;
  /** The line that is being read, and how long it is; of one that is too long, only its beginning. */
  #line: Buffer[] = [];
  #length = 0;
  #tail = Buffer.alloc(0);

  constructor() {
    const input = new PassThrough();
    super(input, process.stdout, { maxBufferSize: 2 * LONGEST_MESSAGE });
    this.#input = input;
  }

  override async start(): Promise<void> {
    const deliver = this.onmessage?.bind(this);
    this.onmessage = (message: JSONRPCMessage) => {
      if ('method' in message && 'id' in message) this.#pending.add(message.id);
      deliver?.(message);
      // Nobody is answered who has taken it back.
      if ('method' in message && message.method === 'notifications/cancelled')
        this.#settle(message.params?.['requestId']);
    };
    await super.start();
    process.stdin.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    if (!('method' in message) && 'id' in message) this.#settle(message.id);
  }

  #settle(id: unknown): void {
    this.#pending.delete(id as string | number);
    if (this.#pending.size === 0) this.#over?.();
  }

  /** Resolves once the client has ended its input, and has the answers to all that it asked, or went away. */
  async ended(): Promise<void> {
    await new Promise<void>((resolve) => {
      for (const event of ['end', 'close']) process.stdin.once(event, () => resolve());
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#over = resolve;
    const timer = setTimeout(resolve, MOST_WAITED_MS);
    process.stdout.once('error', () => resolve());
    this.#endLine();
    // Behind all that was read; only then it is known what is still to be answered.
    this.#input.write('\n', () => setImmediate(() => this.#pending.size === 0 && resolve()));
    await promise;
    clearTimeout(timer);
  }

  /** Hands whole lines on. */
  #take(chunk: Buffer): void {
    let rest = chunk;
    for (let at = rest.indexOf('\n'); at >= 0; at = rest.indexOf('\n')) {
      this.#keep(rest.subarray(0, at));
      this.#endLine();
      rest = rest.subarray(at + 1);
    }
    this.#keep(rest);
  }

  #keep(part: Buffer): void {
    this.#length += part.length;
    if (this.#length <= LONGEST_MESSAGE) this.#line.push(part);
    else {
      this.#line = [Buffer.concat(this.#line).subarray(0, KEPT_OF_EITHER_END)];
      this.#tail = Buffer.concat([this.#tail, part.subarray(-KEPT_OF_EITHER_END)]).subarray(-KEPT_OF_EITHER_END);
    }
  }

  #endLine(): void {
    const line = Buffer.concat([...this.#line, Buffer.from('\n')]);
    if (this.#length <= LONGEST_MESSAGE) this.#input.write(line);
    else this.#refuse(ID_AT_FIRST.exec(line.toString())?.[1] ?? ID_AT_LAST.exec(this.#tail.toString())?.[1]);
    this.#line = [];
    this.#length = 0;
    this.#tail = Buffer.alloc(0);
  }

  /** @param id as it was written; what has none asks for no answer */
  #refuse(id: string | undefined): void {
    if (id === undefined) return;
    const message = `This message has more than ${LONGEST_MESSAGE / 1_000_000} MB. Send less at once.`;
    const error = { code: INVALID_REQUEST, message };
    void this.send({ jsonrpc: '2.0', id: JSON.parse(id) as string | number, error }).catch(() => undefined);
  }
}

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

/** Returns a token that nobody can guess. */
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
  const body = hasBody ? { body: Readable.toWeb(incoming), duplex: 'half' as const } : {};
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

/** Says why a request gets no further; undefined if it may. */
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
