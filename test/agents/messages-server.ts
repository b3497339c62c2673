import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One block of what was said, as the Messages API writes it. */
interface Block {
  readonly type: string;
  readonly text?: string;
  readonly content?: unknown;
}

/** One message of a request. */
interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string | readonly Block[];
}

/** One request, as it came. */
export interface MessagesCall {
  /** From 1, in order of arrival. */
  readonly n: number;
  readonly model: string;
  readonly messages: readonly Message[];
  /** All of `messages` as one text. */
  readonly text: string;
  readonly system: string;
  readonly tools: readonly string[];
  /** What the client says its session is called. */
  readonly session: string;
  readonly headers: IncomingMessage['headers'];
  readonly method: string;
  readonly path: string;
}

/** What comes back: words, a use of a tool, an error, or nothing at all. */
export type MessagesReply =
  | { readonly text: string }
  | { readonly tool: string; readonly input: object }
  | { readonly status: number; readonly error: string; readonly message: string }
  | { readonly hang: true };

export interface MessagesServer {
  readonly baseUrl: string;
  readonly log: readonly MessagesCall[];
  /** Requests that are being answered now. */
  readonly open: number;
  until(condition: () => boolean): Promise<void>;
  close(): Promise<void>;
}

/** Tokens that every reply says it used. */
export const REPLY_USAGE = { input: 100, cacheRead: 50, cacheWrite: 10, output: 20 } as const;

/** What is answered to a request; one that waits for others to come is answered later. */
export type Script = (call: MessagesCall) => MessagesReply | Promise<MessagesReply>;

/** A server on 127.0.0.1 that speaks the streamed Messages API, answers by a script and remembers everything. */
export async function startMessagesServer(script: Script): Promise<MessagesServer> {
  const log: MessagesCall[] = [];
  const waiting = new Set<() => void>();
  let open = 0;
  const changed = (): void => {
    for (const look of waiting) look();
  };
  const server = createServer((request, response) => {
    open++;
    response.on('close', () => {
      open--;
      changed();
    });
    void readCall(request, log.length + 1).then(async (call) => {
      log.push(call);
      changed();
      reply(response, call, call.path.startsWith('/v1/messages?') ? await script(call) : NOT_FOUND);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    get open() {
      return open;
    },
    until: (condition) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!condition()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const NOT_FOUND: MessagesReply = { status: 404, error: 'not_found_error', message: 'There is nothing here.' };

async function readCall(request: IncomingMessage, n: number): Promise<MessagesCall> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString('utf8')) : {};
  const messages = (body.messages ?? []) as Message[];
  return {
    n,
    messages,
    model: String(body.model ?? ''),
    text: messages.map(({ content }) => textOf(content)).join('\n'),
    system: textOf(body.system ?? ''),
    tools: ((body.tools ?? []) as { name: string }[]).map(({ name }) => name),
    session: String(request.headers['x-claude-code-session-id'] ?? ''),
    headers: request.headers,
    method: request.method ?? '',
    path: request.url ?? '',
  };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content.map((block: Block) => block.text ?? textOf(block.content ?? '')).join('\n');
}

function reply(response: ServerResponse, { n, model }: MessagesCall, said: MessagesReply): void {
  if ('status' in said) {
    response.writeHead(said.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ type: 'error', error: { type: said.error, message: said.message } }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type: string, fields: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  };
  const usage = {
    input_tokens: REPLY_USAGE.input,
    cache_read_input_tokens: REPLY_USAGE.cacheRead,
    cache_creation_input_tokens: REPLY_USAGE.cacheWrite,
    output_tokens: 1,
  };
  const message = { id: `msg_${n}`, type: 'message', role: 'assistant', model, content: [], stop_reason: null, usage };
  send('message_start', { message });
  if ('hang' in said) return;
  const [block, delta, reason] = 'text' in said ? textBlock(said.text) : toolBlock(n, said.tool, said.input);
  send('content_block_start', { index: 0, content_block: block });
  send('content_block_delta', { index: 0, delta });
  send('content_block_stop', { index: 0 });
  send('message_delta', { delta: { stop_reason: reason }, usage: { output_tokens: REPLY_USAGE.output } });
  send('message_stop', {});
  response.end();
}

function textBlock(text: string): [object, object, string] {
  return [{ type: 'text', text: '' }, { type: 'text_delta', text }, 'end_turn'];
}

function toolBlock(n: number, name: string, input: object): [object, object, string] {
  const block = { type: 'tool_use', id: `toolu_${n}`, name, input: {} };
  return [block, { type: 'input_json_delta', partial_json: JSON.stringify(input) }, 'tool_use'];
}
