import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerCall, WireMessage } from './server-call.ts';
import type { Fault, FaultChooser, FaultKind } from './server-faults.ts';
import { errorOf, garbageFor, HTML_PAGE, ServerReply } from './server-reply.ts';
import { countTokens, PrefixCache } from './server-tokens.ts';
import { scriptedTree } from './server-tree.ts';

/** The state of a request. `open`: it is being answered. */
type Outcome = 'open' | 'answered' | FaultKind | 'aborted by client' | 'server closed';

export interface LoggedRequest extends ServerCall {
  /** Milliseconds since 1970, of arrival and of the end. */
  readonly time: number;
  ended?: number;
  /** The path and query of the request's address. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly authorization: string | undefined;
  /** The request's body as it came, and its size. */
  readonly body: string;
  readonly bytes: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  /** Tokens of the text that was sent, whole or not. */
  completionTokens: number;
  outcome: Outcome;
  /** Whether the client closed the connection before the answer ended. */
  closedByClient: boolean;
  /** The text that was sent, whole or not. */
  text: string;
}

/** Tokens that a provider would ask money for: also of answers that were cut, hung or left by the client. */
interface Billed {
  prompt: number;
  cached: number;
  completion: number;
}

export interface ScriptedServerOptions {
  /** The text of an answer, or its pieces as they come. By default, a scripted tree of seed 1. */
  readonly answer?: (call: ServerCall) => string | AsyncIterable<string>;
  /** Milliseconds before the answer begins; by default 0. */
  readonly latencyMs?: number | ((call: ServerCall) => number);
  readonly fault?: FaultChooser;
  /** Called on arrival, before anything is answered. */
  readonly onRequest?: (request: LoggedRequest) => void;
  /** Dollars that an answer's usage says it cost. */
  readonly cost?: (call: ServerCall) => number;
  readonly port?: number;
}

export interface ScriptedServer {
  /** What to pass as the base URL: `http://127.0.0.1:PORT/v1`. */
  readonly baseUrl: string;
  readonly log: readonly LoggedRequest[];
  readonly billed: Readonly<Billed>;
  /** The most requests that were open at the same time. */
  readonly peak: Readonly<{ all: number; picks: number; others: number }>;
  /** Resolves as soon as the log fulfils the condition, now or later; rejects when the server closes before. */
  until(condition: (log: readonly LoggedRequest[]) => boolean): Promise<void>;
  /** Ends all connections and timers; rejects with what an answerer threw, or a request that made no sense. */
  close(): Promise<void>;
}

/**
 * Returns a real HTTP server on 127.0.0.1 that speaks `/v1/chat/completions`, streamed or not, and remembers
 * everything.
 */
export async function startScriptedServer(options: ScriptedServerOptions = {}): Promise<ScriptedServer> {
  const log: LoggedRequest[] = [];
  const billed: Billed = { prompt: 0, cached: 0, completion: 0 };
  const peak = { all: 0, picks: 0, others: 0 };
  const open = new Map<ServerReply, 'picks' | 'others'>();
  const attempts = new Map<string, number>();
  const cache = new PrefixCache();
  const waiters = new Set<{ check: () => void; closed: () => void }>();
  const answer = options.answer ?? scriptedTree().answer;
  let closing = false;
  const mistakes: unknown[] = [];

  const changed = () => {
    for (const { check } of waiters) check();
  };

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (request.method !== 'POST' || !request.url?.split('?')[0]?.endsWith('/chat/completions')) {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(errorOf('404')));
      return;
    }
    const wire = JSON.parse(body.toString('utf8')) as WireRequest;
    const entry = enter(request, wire, body);
    await work(entry, new ServerReply(response, wire, entry.model));
  }

  function enter(request: IncomingMessage, wire: WireRequest, body: Buffer): LoggedRequest {
    const purpose = String(request.headers['x-thought-tree-call'] ?? '');
    const node = String(request.headers['x-thought-tree-node'] ?? '')
      .split('/')
      .map(decodeURIComponent)
      .join('/');
    const attempt = (attempts.get(`${purpose} ${node}`) ?? 0) + 1;
    attempts.set(`${purpose} ${node}`, attempt);
    const { prompt: promptTokens, cached: cachedTokens } = cache.take(wire.messages);
    const entry: LoggedRequest = {
      n: log.length + 1,
      time: Date.now(),
      purpose,
      node,
      attempt,
      model: wire.model,
      messages: wire.messages,
      prompt: wire.messages.at(-1)?.content ?? '',
      maxTokens: wire.max_tokens ?? wire.max_completion_tokens,
      path: request.url ?? '',
      headers: request.headers,
      authorization: request.headers.authorization,
      body: body.toString('utf8'),
      bytes: body.length,
      promptTokens,
      cachedTokens,
      completionTokens: 0,
      outcome: 'open',
      closedByClient: false,
      text: '',
    };
    log.push(entry);
    options.onRequest?.(entry);
    changed();
    return entry;
  }

  async function work(entry: LoggedRequest, reply: ServerReply): Promise<void> {
    open.set(reply, entry.purpose === 'pick' ? 'picks' : 'others');
    // Leaves the count before the last bytes are sent: the client cannot start its next request earlier than that.
    reply.beforeEnd = () => open.delete(reply);
    try {
      await count([...open]);
      await respond(entry, reply);
    } catch (error) {
      if (!reply.closed.aborted) throw error;
      reply.billed = true;
      entry.closedByClient = !closing;
      if (entry.outcome === 'open') entry.outcome = closing ? 'server closed' : 'aborted by client';
    } finally {
      open.delete(reply);
      entry.ended = Date.now();
      entry.text = reply.text;
      entry.completionTokens = countTokens(reply.text);
      if (reply.billed) {
        billed.prompt += entry.promptTokens;
        billed.cached += entry.cachedTokens;
        billed.completion += entry.completionTokens;
      }
      changed();
    }
  }

  /** Counts the requests that were open when one came. */
  async function count(replies: readonly [ServerReply, 'picks' | 'others'][]): Promise<void> {
    // A client that gave up one request and then made this one closed the other first: lets the server see that.
    for (let i = 0; i < 2; i++) await new Promise<void>((resolve) => setImmediate(resolve));
    const lanes = replies.filter(([reply]) => !reply.closed.aborted).map(([, lane]) => lane);
    const picks = lanes.filter((lane) => lane === 'picks').length;
    peak.all = Math.max(peak.all, lanes.length);
    peak.picks = Math.max(peak.picks, picks);
    peak.others = Math.max(peak.others, lanes.length - picks);
  }

  async function respond(entry: LoggedRequest, reply: ServerReply): Promise<void> {
    const chosen = options.fault?.(entry);
    const fault: Fault | undefined = typeof chosen === 'string' ? { kind: chosen } : chosen;
    const { latencyMs = 0 } = options;
    const latency = typeof latencyMs === 'function' ? latencyMs(entry) : latencyMs;
    const wait = latency + (fault?.kind === 'slow' ? (fault.ms ?? 500) : 0);
    if (wait > 0) await sleep(wait, undefined, { signal: reply.closed });
    const usage = {
      prompt_tokens: entry.promptTokens,
      prompt_tokens_details: { cached_tokens: entry.cachedTokens },
      ...(options.cost ? { cost: options.cost(entry) } : {}),
    };
    const text = () => answer(entry);
    switch (fault?.kind) {
      case undefined:
      case 'slow':
        await reply.answer(text(), usage);
        break;
      case 'garbage':
        await reply.answer(garbageFor(entry), usage);
        break;
      case 'no-usage':
        await reply.answer(text(), undefined);
        break;
      case 'cut':
      case 'stall':
      case 'malformed':
      case 'no-finish':
      case 'stream-error':
        entry.outcome = fault.kind;
        await reply.answerInPart(text(), fault);
        break;
      case 'hang':
        entry.outcome = 'hang';
        await reply.hang();
        break;
      case 'reset':
        reply.reset();
        break;
      case 'html':
        reply.page(200, { 'content-type': 'text/html; charset=utf-8' }, HTML_PAGE);
        break;
      case 'redirect':
        reply.page(307, { location: fault.location ?? '/elsewhere' }, '');
        break;
      case 'insufficient_quota':
        reply.error(429, fault);
        break;
      case '400':
      case '401':
      case '402':
      case '404':
      case '429':
      case '500':
      case '503':
        reply.error(Number(fault.kind), fault);
        break;
    }
    entry.outcome = fault?.kind ?? 'answered';
  }

  const server = createServer((request, response) => {
    receive(request, response).catch((error: unknown) => {
      // A client that leaves while its request is still being read is no mistake.
      if (!response.destroyed) mistakes.push(error);
      response.destroy();
    });
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    log,
    billed,
    peak,
    until: (condition) =>
      new Promise((resolve, reject) => {
        const waiter = {
          check: () => {
            if (!condition(log)) return;
            waiters.delete(waiter);
            resolve();
          },
          closed: () => reject(new Error(`The server closed first, after ${log.length} requests`)),
        };
        waiters.add(waiter);
        waiter.check();
      }),
    close: async () => {
      if (closing) return;
      closing = true;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      for (const { closed: tell } of waiters) tell();
      if (mistakes.length > 0) throw mistakes[0];
    },
  };
}

interface WireRequest {
  readonly model: string;
  readonly messages: readonly WireMessage[];
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
}
