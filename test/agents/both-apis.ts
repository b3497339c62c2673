import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request of an agent to its model, whichever API it speaks. */
export interface AgentAsked {
  /** All that was said in it, the system's words left out. */
  readonly text: string;
  /** What tools gave since the last words of the other side. */
  readonly results: readonly string[];
  /** The tools it may use; none where the agent asks for itself, such as for a title. */
  readonly tools: readonly string[];
}

/** What comes back: words, a use of a tool, or nothing at all. */
export type AgentTold =
  | { readonly text: string }
  | { readonly tool: string; readonly input: object }
  | { readonly hang: true };

export interface BothApis {
  /** Without a path. */
  readonly url: string;
  readonly log: readonly AgentAsked[];
  until(condition: () => boolean): Promise<void>;
  close(): Promise<void>;
}

/** Tokens that every answer says it took. */
export const TOLD_USAGE = { prompt: 1000, completion: 100 } as const;

/** A server on 127.0.0.1 that speaks chat completions and the Gemini API, answers by a script and remembers everything. */
export async function startBothApis(script: (asked: AgentAsked) => AgentTold): Promise<BothApis> {
  const log: AgentAsked[] = [];
  const waiting = new Set<() => void>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? '';
    const api = [chatCompletions, gemini].find(({ at }) => at.test(path));
    if (request.method !== 'POST' || !api) return void response.writeHead(404).end('{}');
    const asked = api.read(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    log.push(asked);
    for (const look of waiting) look();
    const told = script(asked);
    if (!('hang' in told)) api.send(response, told, path);
  };
  // What else breaks, the agent sees as a broken connection.
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    until: (condition) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (condition() && waiting.delete(look)) resolve();
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

type Told = Exclude<AgentTold, { readonly hang: true }>;

interface Api {
  readonly at: RegExp;
  read(body: unknown): AgentAsked;
  send(response: ServerResponse, told: Told, path: string): void;
}

interface ChatBody {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

const chatCompletions: Api = {
  at: /\/chat\/completions$/,
  read(body) {
    const { messages, tools = [] } = body as ChatBody;
    const said = messages.filter(({ role }) => role !== 'system');
    const since = said.slice(said.findLastIndex(({ role }) => role === 'user') + 1);
    return {
      text: said.map(({ content }) => wordsOf(content)).join('\n'),
      results: since.filter(({ role }) => role === 'tool').map(({ content }) => wordsOf(content)),
      tools: tools.map((tool) => tool.function.name),
    };
  },
  send(response, told) {
    const used = (name: string, input: object) => ({
      tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(input) } }],
    });
    const delta = 'text' in told ? { content: told.text } : used(told.tool, told.input);
    const head = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'tiny' };
    const usage = { prompt_tokens: TOLD_USAGE.prompt, completion_tokens: TOLD_USAGE.completion };
    const finish_reason = 'text' in told ? 'stop' : 'tool_calls';
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const chunk of [
      { ...head, choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }] },
      { ...head, choices: [{ index: 0, delta: {}, finish_reason }] },
      { ...head, choices: [], usage },
    ])
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    response.end('data: [DONE]\n\n');
  },
};

interface GeminiBody {
  readonly contents: readonly {
    readonly role: string;
    readonly parts: readonly { readonly text?: string; readonly functionResponse?: { readonly response: unknown } }[];
  }[];
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[];
}

const gemini: Api = {
  at: /:(?:streamG|g)enerateContent\b/,
  read(body) {
    const { contents, tools = [] } = body as GeminiBody;
    const parts = contents.flatMap((content) => content.parts);
    const since = contents.slice(
      contents.findLastIndex(({ role, parts: [first] }) => role === 'user' && first?.text !== undefined) + 1,
    );
    return {
      text: parts.map(({ text = '' }) => text).join('\n'),
      results: since.flatMap((content) =>
        content.parts.flatMap(({ functionResponse: given }) => (given ? [JSON.stringify(given.response)] : [])),
      ),
      tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
    };
  },
  send(response, told, path) {
    const part = 'text' in told ? { text: told.text } : { functionCall: { name: told.tool, args: told.input } };
    const body = JSON.stringify({
      candidates: [{ content: { parts: [part], role: 'model' }, index: 0, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: TOLD_USAGE.prompt,
        candidatesTokenCount: TOLD_USAGE.completion,
        totalTokenCount: TOLD_USAGE.prompt + TOLD_USAGE.completion,
      },
    });
    const isStream = path.includes(':stream');
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
    response.end(isStream ? `data: ${body}\r\n\r\n` : body);
  },
};

function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => String((part as { text?: string }).text ?? '')).join('\n');
}
