import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Counts, ErrorKind, Protocol, Received, Said, WireAnswer } from './protocols/protocol.ts';

/** What the server does with a request. */
export type Act =
  | {
      readonly does: 'answer';
      readonly pieces: readonly string[];
      readonly finish?: WireAnswer['finish'];
      readonly counts?: Counts;
      /** Whether it answers with one document, though a stream was asked for. */
      readonly whole?: boolean;
      /** Waited for before anything is sent. */
      readonly ready?: Promise<unknown>;
      /** Waited for before each piece but the first. */
      readonly gate?: Promise<unknown>;
    }
  | { readonly does: 'error'; readonly error: ErrorKind; readonly headers?: Readonly<Record<string, string>> }
  /** After one piece: the connection breaks, the stream just ends, nothing more comes, or something else does. */
  | { readonly does: 'cut' | 'end' | 'stall' | 'malformed' | 'overloaded' | 'rate-limit' }
  /** Never says anything. */
  | { readonly does: 'hang' }
  | { readonly does: 'redirect'; readonly location: (key: string) => string }
  /** Sends exactly this. */
  | { readonly does: 'send'; readonly type: string; readonly body: string };

/** Decides by request, and by its number from 0. */
export type Script = (said: Said, n: number) => Act;

/** A request that was seen. */
export interface Seen extends Received, Said {
  /** Whether the client closed the connection before the answer ended. */
  closedByClient: boolean;
}

export interface ProtocolServer {
  readonly baseUrl: string;
  /** Requests for an answer, in order of arrival. */
  readonly seen: readonly Seen[];
  /** Every other request. */
  readonly besides: readonly Received[];
  /** Resolves as soon as the condition holds. */
  until(condition: () => boolean): Promise<void>;
  close(): Promise<void>;
}

const COUNTS: Counts = { fresh: 3, cached: 0, written: 0, completion: 2 };

/** Returns a real HTTP server that speaks one provider's protocol, and refuses requests that are against its rules. */
export async function startProtocolServer(protocol: Protocol, script: Script): Promise<ProtocolServer> {
  const seen: Seen[] = [];
  const besides: Received[] = [];
  const waiters = new Set<() => void>();
  const changed = () => {
    for (const check of waiters) check();
  };

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks).toString('utf8');
    const body = raw === '' ? {} : (JSON.parse(raw) as Record<string, unknown>);
    const received = { path: request.url ?? '', headers: request.headers, raw, body };
    const other = protocol.besides?.[received.path];
    if (request.method !== 'POST' || other) {
      besides.push(received);
      return sendJson(response, other ? 200 : 404, other ?? {});
    }
    const wrong = protocol.refuse(received);
    if (wrong !== undefined) return sendJson(response, 400, { error: { message: `Against the protocol: ${wrong}` } });
    const entry: Seen = { ...received, ...protocol.read(received), closedByClient: false };
    seen.push(entry);
    response.once('close', () => {
      entry.closedByClient = !response.writableFinished;
      changed();
    });
    changed();
    await perform(protocol, script(entry, seen.length - 1), entry, response);
  }

  const server = createServer((request, response) => {
    // A client that leaves is no mistake; whatever else breaks, it sees as a broken connection.
    receive(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${protocol.basePath}`,
    seen,
    besides,
    until: (condition) =>
      new Promise((resolve) => {
        const check = () => {
          if (condition() && waiters.delete(check)) resolve();
        };
        waiters.add(check);
        check();
      }),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function perform(protocol: Protocol, act: Act, said: Said, response: ServerResponse): Promise<void> {
  const key = said.key ?? '';
  if (act.does === 'hang') return;
  if (act.does === 'redirect') return void response.writeHead(307, { location: act.location(key) }).end();
  if (act.does === 'send') return void response.writeHead(200, { 'content-type': act.type }).end(act.body);
  if (act.does === 'error') {
    // Some servers repeat the key, or what people would recognize it by.
    const told = `${key} ${encodeURIComponent(key)} ${key.slice(0, 12)}***${key.slice(-9)}`;
    const { status, headers, body } = protocol.errors(told)[act.error];
    return sendJson(response, status, body, { ...headers, ...act.headers });
  }
  const whole: WireAnswer = { model: said.model, pieces: ['Half of ', 'it.'], finish: 'stop', counts: COUNTS };
  if (act.does === 'answer') {
    const { pieces, finish = 'stop', counts = COUNTS, gate } = act;
    await act.ready;
    const answer = { ...whole, pieces, finish, counts };
    if (act.whole) return sendJson(response, 200, protocol.whole(answer));
    return await stream(protocol, answer, response, gate);
  }
  response.writeHead(200, { 'content-type': protocol.type });
  await write(response, protocol.begin(whole) + protocol.piece(whole, 'Half of ', 0));
  if (act.does === 'cut') response.destroy();
  else if (act.does === 'end') response.end();
  else if (act.does === 'malformed') response.end(protocol.malformed);
  else if (act.does !== 'stall') response.end(protocol.within[act.does]);
}

async function stream(
  protocol: Protocol,
  answer: WireAnswer,
  response: ServerResponse,
  gate: Promise<unknown> | undefined,
): Promise<void> {
  response.writeHead(200, { 'content-type': protocol.type });
  await write(response, protocol.begin(answer));
  for (const [index, piece] of answer.pieces.entries()) {
    if (index > 0) await gate;
    await write(response, protocol.piece(answer, piece, index));
  }
  response.end(protocol.end(answer));
}

async function write(response: ServerResponse, text: string): Promise<void> {
  if (text !== '') await new Promise<void>((resolve) => response.write(text, () => resolve()));
}

function sendJson(response: ServerResponse, status: number, body: object, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
