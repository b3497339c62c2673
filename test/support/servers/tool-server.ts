import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { countTokens } from './server-tokens.ts';
import { type ScriptedTreeOptions, scriptedTree } from './server-tree.ts';

interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string } }[];
}

/** One request of a model with tools. */
export interface ToolRequest {
  readonly purpose: string;
  readonly node: string;
  readonly messages: readonly Message[];
  readonly tools: readonly string[];
  /** As it came. */
  readonly body: string;
}

/** One use of a tool. */
export interface Use {
  readonly name: string;
  readonly input: object;
}

/** A server that speaks chat completions with tools, and remembers what it was asked. */
export interface ToolServer {
  readonly baseUrl: string;
  readonly log: readonly ToolRequest[];
  until(condition: () => boolean): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param uses the uses that it wants for a document, one a round, before it writes that
 * @param hold stops an answer for good where it says so
 */
export function startToolServer(
  tree: ScriptedTreeOptions,
  uses: readonly Use[],
  hold: (request: ToolRequest, round: number) => boolean = () => false,
): Promise<ToolServer> {
  const script = scriptedTree(tree);
  return serveTools((request, round) => {
    const { purpose, node, tools } = request;
    if (hold(request, round)) return undefined;
    const use = purpose === 'document' && tools.length > 0 ? uses[round] : undefined;
    const call = { n: 0, purpose, node, attempt: 1, model: '', messages: [], maxTokens: undefined };
    return use ?? script.answer({ ...call, prompt: lastPrompt(request) });
  });
}

/** Returns what is asked last, in words. */
export function lastPrompt({ messages }: ToolRequest): string {
  return String(messages.findLast(({ role }) => role === 'user')?.content);
}

/** @param reply a use, an answer in words, or nothing at all, for good; gets the number of uses after the question */
export async function serveTools(
  reply: (request: ToolRequest, round: number) => Use | readonly Use[] | string | undefined,
): Promise<ToolServer> {
  const log: ToolRequest[] = [];
  const waiting = new Set<() => void>();
  const respond = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await readRequest(incoming);
    log.push(request);
    for (const look of waiting) look();
    const said = reply(request, roundOf(request));
    if (said === undefined) return;
    if (typeof said === 'string') send(response, { content: said }, false, request.body);
    else send(response, usesDelta([said].flat(), log.length), true, request.body);
  };
  const server = createServer((request, response) => void respond(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    log,
    until: (condition) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (condition()) resolve();
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

async function readRequest(incoming: IncomingMessage): Promise<ToolRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString('utf8');
  const { messages, tools = [] } = JSON.parse(body);
  return {
    purpose: String(incoming.headers['x-thought-tree-call']),
    node: String(incoming.headers['x-thought-tree-node'] ?? ''),
    messages,
    tools: tools.map((tool: { function: { name: string } }) => tool.function.name),
    body,
  };
}

/** Returns the number of uses after the last question. */
function roundOf({ messages }: ToolRequest): number {
  const start = messages.findLastIndex(({ role }) => role === 'user');
  return messages.slice(start).filter(({ role }) => role === 'assistant').length;
}

function usesDelta(uses: readonly Use[], n: number): object {
  return {
    tool_calls: uses.map(({ name, input }, index) => ({
      index,
      id: `call_${n}_${index}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    })),
  };
}

function send(response: ServerResponse, delta: object, isUse: boolean, asked: string): void {
  const head = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'tiny' };
  const usage = { prompt_tokens: countTokens(asked), completion_tokens: countTokens(JSON.stringify(delta)) };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const chunk of [
    { ...head, choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: isUse ? 'tool_calls' : 'stop' }] },
    { ...head, choices: [], usage },
  ])
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  response.end('data: [DONE]\n\n');
}
